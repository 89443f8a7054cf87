"""The command line: `affray serve | openapi | rebuild`."""

import argparse
import sys

import uvicorn

from service.app import create_app
from service.settings import BadSetting, Settings


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
    chosen = parser.parse_args(arguments)
    try:
        return int(chosen.run(chosen))
    except BadSetting as error:
        print(f"affray: {error}", file=sys.stderr)
        return 2


def _serve(chosen: argparse.Namespace) -> int:
    settings = Settings.from_environment()
    host = chosen.host or settings.host
    port = settings.port if chosen.port is None else chosen.port
    where = settings.database_url and "the database of DATABASE_URL"
    print(f"Affray on http://{host}:{port} with {where or f'data in {settings.data_dir}'}")
    print(f"Docs: http://{host}:{port}/schema", flush=True)
    uvicorn.run(create_app(settings), host=host, port=port, log_level="warning", loop="uvloop")
    return 0


if __name__ == "__main__":
    sys.exit(main())
