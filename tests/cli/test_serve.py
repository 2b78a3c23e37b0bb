"""`spielwerk serve`: starts, stops, and says what is in its way."""

import signal
import socket
import subprocess
import sys
import urllib.request

from web_server import Server

MAIN = [sys.executable, "-c", "from spielwerk.cli.main import main; main()"]


def test_it_says_where_it_is_and_stops_on_ctrl_c(tmp_path):
    server = Server(tmp_path).start()
    page = urllib.request.urlopen(server.url).read().decode()
    assert "Spielwerk" in page
    assert server.stop(signal.SIGINT) in (0, 130)
    said = (tmp_path / "server.log").read_text()
    assert f"Spielwerk at {server.url} (Ctrl-C stops it)" in said
    assert "Traceback" not in said


def test_a_port_that_is_taken_is_told_in_a_sentence():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = subprocess.run(
            [*MAIN, "serve", "--port", str(port)], capture_output=True, text=True
        )
    assert result.returncode == 2
    assert f"Port {port} of 127.0.0.1 cannot be used" in result.stderr
    assert "spielwerk serve --port" in result.stderr
    assert "Traceback" not in result.stderr


def test_an_address_that_is_not_ours_is_told_in_a_sentence():
    result = subprocess.run(
        [*MAIN, "serve", "--host", "no.such.host.invalid"], capture_output=True, text=True
    )
    assert result.returncode == 2
    assert "no.such.host.invalid" in result.stderr
    assert "Traceback" not in result.stderr
