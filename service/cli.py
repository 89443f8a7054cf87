"""The command line: `affray serve`, `demo`, `verify`, `rebuild`, `export`, `import` and others."""

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import UUID

import asyncpg
import httpx

from domain.record.verify import verify
from domain.rulesets import installed as rulebooks
from projections import events_page
from projections.registry import installed
from service import files, keys, skirmish
from service.archives import archive_for
from service.conformance import kit
from service.conformance.case import Budget, said
from service.demo import Demo
from service.http import asyncapi, contract
from service.reencryption import reseal
from service.resources import stored
from service.serve import serve
from service.settings import MOST_DAYS, BadSetting, Settings, unknown
from service.store.applications import Applications, NameTaken
from service.store.encryption import mapper_for, mapper_of
from service.store.follower import Follower
from service.store.rebuild import AlreadyRebuilding, rebuild
from service.store.rows import Unavailable
from service.stories import LOGS, STORIES
from service.verification import faults_of_all

DAYS: Final = 30
"""The default number of days after which `affray archive` archives a combat."""
MOST_COMBATS: Final = 10**9
PROGRESS: Final = 100
"""Combats between two lines of `affray verify --all`."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    whole = argparse.ArgumentParser(
        prog="affray", description="Event-sourced combat service for tabletop role-playing games."
    )
    commands = whole.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="start the service")
    serving.add_argument("--host", help="address to listen on (default: AFFRAY_HOST or 127.0.0.1)")
    serving.add_argument("--port", help="(default: AFFRAY_PORT or 8000)")
    serving.add_argument("--workers", help="number of processes (default: AFFRAY_WORKERS or 1)")
    serving.set_defaults(run=_serve)
    openapi = commands.add_parser("openapi", help="print the contract, or write openapi.json")
    openapi.add_argument("--write", action="store_true", help="write openapi/openapi.json")
    openapi.set_defaults(run=_openapi)
    logs = commands.add_parser(
        "logs", help="play a ready fight of each rulebook, and print its log"
    )
    logs.add_argument("--write", action="store_true", help="write docs/logs")
    logs.set_defaults(run=_logs)
    again = commands.add_parser("rebuild", help="rebuild a read model while the service runs")
    again.add_argument("name", help="name of the read model, such as combats or statistics")
    again.set_defaults(run=lambda chosen: asyncio.run(_rebuild(chosen.name)))
    followed = commands.add_parser("projections", help="show the progress of each read model")
    followed.set_defaults(run=lambda chosen: asyncio.run(_projections()))
    away = commands.add_parser(
        "archive", help="move the events of ended combats to AFFRAY_ARCHIVE; opening restores them"
    )
    away.add_argument(
        "--days",
        type=_days,
        help="days since the last change (default: AFFRAY_ARCHIVE_AFTER or 30)",
    )
    away.set_defaults(run=lambda chosen: asyncio.run(_archive(chosen.days)))
    place = commands.add_parser("token", help="issue a new GM token for a combat")
    place.add_argument("combat", type=UUID, help="its id")
    place.add_argument("--label", default="GM", help="the token's name (default: %(default)s)")
    place.set_defaults(run=lambda chosen: asyncio.run(_token(chosen.combat, chosen.label)))
    _key(commands.add_parser("key", help="create, list or revoke keys of applications"))
    sealed = commands.add_parser(
        "reseal", help="encrypt all stored data again, with the newest key"
    )
    sealed.set_defaults(run=lambda chosen: asyncio.run(_reseal()))
    demo = commands.add_parser("demo", help="play a whole fight against a running service")
    _where(demo, key=True)
    demo.add_argument("--ruleset", choices=list(STORIES), default="free-hit")
    demo.set_defaults(run=_demo)
    check = commands.add_parser(
        "verify", help="check an exported combat, or a database: hash chain, dice, sums"
    )
    checked = check.add_mutually_exclusive_group(required=True)
    checked.add_argument(
        "file", type=Path, nargs="?", help="an exported file; this needs no server"
    )
    checked.add_argument(
        "--all",
        action="store_true",
        help="check every combat in the database while the service runs",
    )
    check.add_argument(
        "--after", type=UUID, metavar="ID", help="with --all: only combats after this id"
    )
    check.set_defaults(run=_verify)
    conformance = commands.add_parser(
        "conformance", help="check a ruleset: walks, forms, secrecy, replay, undo, index"
    )
    conformance.add_argument("ruleset", help="id of an installed ruleset, or module:NAME")
    conformance.add_argument(
        "--commands",
        type=int,
        default=kit.DEFAULT.commands,
        help="commands to play (default: %(default)s)",
    )
    conformance.add_argument(
        "--seed", type=int, default=kit.DEFAULT.seed, help="seed of the first fight (default: 0)"
    )
    conformance.add_argument(
        "--check",
        action="append",
        choices=[check.id for check in kit.CHECKS],
        help="run only this check",
    )
    conformance.add_argument(
        "--replay", type=Path, help="a file with the commands of a report, instead of the checks"
    )
    conformance.set_defaults(run=_conformance)
    export = commands.add_parser("export", help="save a combat as a file")
    export.add_argument("combat", help="its id")
    export.add_argument("file", type=Path)
    export.add_argument("--token", required=True, help="a GM token of the combat")
    _where(export)
    export.set_defaults(run=_export)
    import_ = commands.add_parser("import", help="import a file into a running service")
    import_.add_argument("file", type=Path)
    _where(import_, key=True)
    import_.set_defaults(run=_import)
    return whole


def _key(parser: argparse.ArgumentParser) -> None:
    """Add the commands for keys of applications."""
    ways = parser.add_subparsers(dest="way", required=True)
    create = ways.add_parser("create", help="create a key and print it; it is shown only once")
    create.add_argument("name", help="name of the application")
    create.add_argument("--quota", type=_quota, help="limit of combats (default: no limit)")
    create.set_defaults(run=lambda chosen: asyncio.run(_create_key(chosen.name, chosen.quota)))
    listed = ways.add_parser("list", help="list every key with its combats and its quota")
    listed.set_defaults(run=lambda chosen: asyncio.run(_list_keys()))
    revoke = ways.add_parser("revoke", help="refuse a key from now on; its combats stay")
    revoke.add_argument("name", help="name of the application")
    revoke.set_defaults(run=lambda chosen: asyncio.run(_revoke_key(chosen.name)))


def commands(whole: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """Return the parser of each command by its name."""
    (subparsers,) = (
        action for action in whole._actions if isinstance(action, argparse._SubParsersAction)
    )
    return subparsers.choices


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return the exit status."""
    chosen = parser().parse_args(arguments)
    for sentence in unknown():
        print(f"affray: {sentence}", file=sys.stderr)
    try:
        return int(chosen.run(chosen))
    except BadSetting as error:
        return _said(str(error), 2)
    except httpx.HTTPError as error:
        reason = str(error) or type(error).__name__
        return _said(f"no service answers at {chosen.url} ({reason}): start it with make serve")
    except OSError as error:
        return _said(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except asyncpg.PostgresError as error:
        return _said(f"the database refuses: {error}")


def _days(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_DAYS:
        raise argparse.ArgumentTypeError(f"a number from 0 to {MOST_DAYS}, not {text!r}")
    return int(text)


def _quota(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_COMBATS:
        raise argparse.ArgumentTypeError(f"a number from 1 to {MOST_COMBATS}, not {text!r}")
    return int(text)


def _said(sentence: str, status: int = 1) -> int:
    print(f"affray: {sentence}", file=sys.stderr)
    return status


def _where(parser: argparse.ArgumentParser, *, key: bool = False) -> None:
    """Add the option `--url` to a client command. Its default is the address in the settings."""
    try:
        settings = Settings.from_environment()
    except BadSetting:
        settings = Settings(None, Path())  # a command that needs them reports the fault
    parser.add_argument("--url", default=settings.url, help="(default: %(default)s)")
    if key:
        parser.add_argument(
            "--key", default=settings.service_key, help="(default: AFFRAY_SERVICE_KEY)"
        )


def _serve(chosen: argparse.Namespace) -> int:
    environment = dict(os.environ)
    if chosen.host:
        environment["AFFRAY_HOST"] = chosen.host
    if chosen.port:
        environment["AFFRAY_PORT"] = chosen.port
    if chosen.workers:
        environment["AFFRAY_WORKERS"] = chosen.workers
    return serve(Settings.from_environment(environment))


def _demo(chosen: argparse.Namespace) -> int:
    Demo(STORIES[chosen.ruleset], chosen.url, chosen.key).play()
    return 0


def _verify(chosen: argparse.Namespace) -> int:
    if chosen.all:
        return asyncio.run(_verify_all(chosen.after or UUID(int=0)))
    if chosen.after is not None:
        return _said("--after needs --all", 2)
    report = verify(chosen.file.read_bytes())
    print(report.text())
    return 0 if report.sound else 1


def _conformance(chosen: argparse.Namespace) -> int:
    try:
        subject = kit.Subject(kit.load(chosen.ruleset), chosen.ruleset)
    except LookupError as error:
        return _said(str(error.args[0]), 2)
    if chosen.replay:
        fault = kit.replay(subject.ruleset, kit.read_commands(chosen.replay.read_bytes()))
        print("nothing fails" if fault is None else f"FAIL  {said(fault)}")
        return 0 if fault is None else 1
    failed = 0
    for result in kit.run(subject, Budget(chosen.commands, chosen.seed), chosen.check or ()):
        print(kit.told(result), flush=True)
        failed += result.broken is not None
    return 1 if failed else 0


def _export(chosen: argparse.Namespace) -> int:
    headers = {"Authorization": f"Bearer {chosen.token}"}
    answer = httpx.get(f"{chosen.url}/v1/combats/{chosen.combat}/export", headers=headers)
    if answer.is_error:
        return _said(_detail(answer))
    if chosen.file.exists() and not chosen.file.is_file():  # such as /dev/stdout
        chosen.file.write_bytes(answer.content)
    else:
        files.write(chosen.file, answer.content)
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
        return _said(_detail(answer))
    imported = answer.json()
    print(f"combat {imported['combat']}, GM token {imported['token']}")
    return 0


def _detail(answer: httpx.Response) -> str:
    """Return the text of a problem document."""
    try:
        problem = answer.json()
        return f"{problem['title']}: {problem['detail']}"
    except (ValueError, KeyError, TypeError):
        return f"{answer.url} answers {answer.status_code}: is this an Affray service?"


def _openapi(chosen: argparse.Namespace) -> int:
    if chosen.write:
        (contract.FOLDER / "openapi.json").write_bytes(contract.encoded())
        (contract.FOLDER / "asyncapi.json").write_bytes(asyncapi.encoded())
        (contract.FOLDER.parent / "docs" / "events.md").write_text(events_page.page())
    else:
        sys.stdout.buffer.write(contract.encoded())
    return 0


def _logs(chosen: argparse.Namespace) -> int:
    for id in LOGS:
        text = skirmish.page(rulebooks()[id])
        if chosen.write:
            (contract.FOLDER.parent / "docs" / "logs" / f"{id}.md").write_text(text)
        else:
            print(text)
    return 0


async def _rebuild(name: str) -> int:
    projections = installed()
    if name not in projections:
        return _said(f"no read model {name!r}; there are: {', '.join(projections)}", 2)
    settings = Settings.from_environment()
    async with stored(settings, 3) as store:
        try:
            mapper = await mapper_for(store)
            archive = await archive_for(settings, store, mapper)
            position = await rebuild(store.database, projections[name], mapper, archive.past)
        except AlreadyRebuilding:
            return _said(f"{name} is being made anew already")
    print(f"{name} was made anew from {position} events")
    return 0


async def _verify_all(after: UUID) -> int:
    count = faulty = 0
    settings = Settings.from_environment()
    async with stored(settings, 3) as store:
        archive = await archive_for(settings, store, mapper_of())
        try:
            async for combat, faults in faults_of_all(store, mapper_of(), after, archive.faults):
                count, faulty, after = count + 1, faulty + bool(faults), combat
                for fault in faults:
                    print(f"{combat} {fault}", flush=True)
                if count % PROGRESS == 0:
                    _said(f"{count} combats checked, {faulty} faulty; last: {after}")
        except Unavailable as error:
            return _said(f"the database fails ({error}): go on with --after {after}", 2)
    return _said(f"{count} combats checked, {faulty} faulty; last: {after}; done", min(faulty, 1))


async def _archive(days: int | None) -> int:
    settings = Settings.from_environment()
    if settings.archive is None:
        return _said("AFFRAY_ARCHIVE says where archived combats go, such as file:///srv/affray", 2)
    days = days if days is not None else settings.archive_after or DAYS
    before = datetime.now(UTC) - timedelta(days=days)
    async with stored(settings, 3) as store:
        archive = await archive_for(settings, store, await mapper_for(store))
        try:
            await archive.tidy()
            async for combat, done in archive.sweep(before):
                print(f"{combat} {done}", flush=True)
        except Unavailable as error:
            return _said(f"the archive or the database fails: {error}")
    return 0


async def _token(combat: UUID, label: str) -> int:
    async with stored(Settings.from_environment(), 3) as store:
        text = await keys.issue_anew(store, combat, label)
    if text is None:
        return _said(f"there is no combat {combat}")
    print(text)
    return 0


async def _create_key(name: str, quota: int | None) -> int:
    async with stored(Settings.from_environment(), 3) as store:
        try:
            print(await Applications(store.database).create(name, quota))
        except NameTaken:
            return _said(f"there is a key {name!r} already: revoke it first, or take another name")
    return 0


async def _list_keys() -> int:
    async with stored(Settings.from_environment(), 3) as store:
        print(f"{'name':24} {'combats':>8} {'quota':>8} {'created':10} revoked")
        for key in await Applications(store.database).lines():
            quota = "-" if key.quota is None else str(key.quota)
            revoked = "-" if key.revoked_at is None else f"{key.revoked_at:%Y-%m-%d}"
            created = f"{key.created_at:%Y-%m-%d}"
            print(f"{key.name:24} {key.combats:8} {quota:>8} {created} {revoked}")
    return 0


async def _revoke_key(name: str) -> int:
    async with stored(Settings.from_environment(), 3) as store:
        if not await Applications(store.database).revoke(name):
            return _said(f"there is no key {name!r} in force")
    return 0


async def _reseal() -> int:
    looked = done = 0
    settings = Settings.from_environment()
    async with stored(settings, 3) as store:
        archive = await archive_for(settings, store, mapper_of())
        async for looked, done in reseal(store, mapper_of(), archive):
            print(f"\r{looked} looked at, {done} encrypted anew", end="", flush=True)
    print(f"\r{looked} looked at, {done} encrypted anew: the newest key reads everything")
    return 0


async def _projections() -> int:
    async with stored(Settings.from_environment(), 3) as store:
        print(f"{'':20} {'position':>12} {'lag':>8} {'set aside':>10}")
        for projection in installed().values():
            follower = Follower(store.database, projection, mapper_of())
            await follower.ensure()
            status = await follower.status()
            print(f"{status.name:20} {status.position:12} {status.lag:8} {status.set_aside:10}")
            for combat, version, error in await follower.aside():
                print(f"  {combat} from version {version} on: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
