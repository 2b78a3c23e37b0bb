"""Both kinds of database: a file, and a real PostgreSQL that the tests start themselves."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from spielwerk.store.store import Store


def binaries() -> Path | None:
    """Where PostgreSQL's programs lie; Debian keeps them out of the way."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return places[-1].parent if places else None


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a server that lives as long as the tests."""
    programs = binaries()
    if programs is None:
        message = "PostgreSQL is not installed (Debian: apt-get install postgresql)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    # It refuses to run as root.
    root = os.geteuid() == 0
    runuser = shutil.which("runuser", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    before = [runuser or "runuser", "-u", "postgres", "--"] if root else []
    folder = Path(tempfile.mkdtemp(prefix="spielwerk-pg-"))
    if root:
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)

    def call(program: str, *arguments: str) -> None:
        command = [*before, str(programs / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    try:
        call("initdb", "-A", "trust", "-U", "spielwerk", "-E", "UTF8")
        call("pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")
        yield f"postgresql://spielwerk@/postgres?host={folder}"
        call("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request, tmp_path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.sqlite'}"
    from sqlalchemy import create_engine, text

    url = request.getfixturevalue("postgresql")
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE; CREATE SCHEMA public"))
    engine.dispose()
    return url


@pytest.fixture
def store(address) -> Iterator[Store]:
    opened = Store.open(address)
    yield opened
    opened.close()
