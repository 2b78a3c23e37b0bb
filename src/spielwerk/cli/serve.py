"""`spielwerk serve`: the web table."""

import socket
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.terminal import log
from spielwerk.errors import SpielwerkError

EXAMPLE = (
    "Example: `spielwerk serve` and then open http://127.0.0.1:8000\n\n"
    "For strangers: `spielwerk serve --public --host 0.0.0.0 --name play.example.org`"
)
HOST, PORT = "127.0.0.1", 8000


def command(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 is all.")] = HOST,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = PORT,
    public: Annotated[
        bool,
        typer.Option("--public", help="For strangers: nothing can be trained, the lab only shows."),
    ] = False,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME …", help="Names under which browsers may reach this server."),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--think", min=0.1, max=600, help="Seconds after which a thinking program is stopped."
        ),
    ] = 20.0,
    warm: Annotated[
        bool, typer.Option(help="Compile the programs of the menus in the background.")
    ] = True,
    store: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where matches are kept. [as for `arena` and `history`]"),
    ] = None,
    runs: Annotated[Path, typer.Option(help="Where training runs are kept.")] = Path("runs"),
    results: Annotated[Path, typer.Option(help="Where reproduced tables lie.")] = Path("results"),
) -> None:
    """Play, analyse and watch learning in the browser.

    Everything comes from this machine: no page asks another host. Ctrl-C stops it; Skip-Bo matches
    are kept in the store and go on when it is started again.
    """
    import uvicorn

    from spielwerk.web.app import create_app
    from spielwerk.web.settings import Settings

    known = Settings.hosts + ((host,) if host not in ("0.0.0.0", "::") else ())
    settings = Settings(
        public=public,
        hosts=tuple(one.lower() for one in (*known, *(name or ()))),
        runs=runs,
        results=results,
        think_seconds=seconds,
        warm=warm,
        store=store,
    )
    _check_free(host, port)
    log.print(f"Spielwerk at http://{_shown(host)}:{port} (Ctrl-C stops it)", markup=False)
    app = create_app(settings)

    class Server(uvicorn.Server):
        """Tells the programs to stop before it waits for its connections."""

        def handle_exit(self, sig: int, frame: Any) -> None:
            app.state.stop()
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        ws_max_size=settings.body_bytes,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    Server(config).run()


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return HOST
    return f"[{host}]" if ":" in host else host


def _check_free(host: str, port: int) -> None:
    """Say in a sentence why nobody can listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    other = port + 1 if port < 65535 else PORT
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            raise SpielwerkError(
                f"Port {port} of {host} cannot be used ({error.strerror}); is Spielwerk already "
                f"running there? Another one: spielwerk serve --port {other}"
            ) from None
