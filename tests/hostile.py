"""Import hostile files over HTTP: `python -m tests.hostile [RULESET …] --files 500 --seed 0`.

The program imports each mutated export into a running service. The GM, a player and a spectator
read each accepted import. The GM then reads past versions, plays on and undoes. No answer may be a
server error.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec

from domain.rulesets import installed
from service.app import create_app
from service.embedded import EmbeddedServer
from service.limits import Limits
from service.settings import Settings
from tests.conftest import database, enterable
from tests.service.mutated import hostile, kind_of
from tests.walks import FIGHTS

NDJSON = {"Content-Type": "application/x-ndjson"}

UNLIMITED = Limits(imports=0, openings=0, wrong_keys=0)


@dataclass
class Verdict:
    """The results for one rulebook."""

    refused: int = 0
    taken: int = 0
    played: int = 0
    requests: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.refused + self.taken} files reached the import ({len(self.kinds)} kinds of"
            f" events, facts and conditions): {self.refused} refused by a line, {self.taken}"
            f" stored, of which {self.played} were played on; {self.requests} requests,"
            f" {len(self.faults)} faults"
        )


class Seen(logging.Handler):
    """A log handler that remembers where the newest server error was raised."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.last = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Remember the two innermost frames of an error."""
        if record.exc_info is not None and record.exc_info[1] is not None:
            error = record.exc_info[1]
            frames = traceback.extract_tb(error.__traceback__)[-2:]
            places = " < ".join(
                f"{Path(frame_summary.filename).name}:{frame_summary.lineno}"
                for frame_summary in frames[::-1]
            )
            self.last = f"{type(error).__name__}: {error} at {places}"


class Judge:
    """A client that imports files, then reads and plays the accepted ones."""

    def __init__(self, http: httpx.AsyncClient, random: Random) -> None:
        self.http, self.random = http, random
        self.verdict = Verdict()
        self.kind = ""
        self.base = ""
        self.seen = Seen()
        logging.getLogger().addHandler(self.seen)

    async def judge(self, kind: str, file: bytes) -> None:
        """Import one file, and use the result if the service accepts it."""
        self.kind = kind
        self.verdict.kinds[kind] += 1
        faults = len(self.verdict.faults)
        self.base = "/v1/combats/import"
        answer = await self.ask("", "POST", content=file, headers=NDJSON)
        if answer is None:
            self.verdict.refused += 1
        elif answer.status_code >= 300:
            self.verdict.refused += 1
            pointer = str(answer.json().get("pointer"))
            if answer.status_code != 400 or not pointer[1:].isdecimal():
                self.fault(f"refused without a line: {answer.text[:300]}")
        else:
            self.verdict.taken += 1
            self.base = f"/v1/combats/{answer.json()['combat']}"
            await self.use(answer.json(), [msgspec.json.decode(line) for line in file.splitlines()])
        if len(self.verdict.faults) > faults:
            folder = Path(tempfile.gettempdir()) / "affray-hostile"
            folder.mkdir(exist_ok=True)
            (folder / f"{len(self.verdict.faults)}.jsonl").write_bytes(file)

    def fault(self, what: str) -> None:
        self.verdict.faults.append(f"{self.kind}: {what}")

    async def ask(
        self, path: str, method: str = "GET", token: str = "", **more: Any
    ) -> httpx.Response | None:
        """Send one request. Return `None` after a server error."""
        headers = {**more.pop("headers", {})}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self.verdict.requests += 1
        try:
            answer = await self.http.request(method, self.base + path, headers=headers, **more)
        except httpx.HTTPError as error:
            self.fault(f"{method} {path}: {error!r}")
            return None
        if answer.status_code >= 500:
            self.fault(f"{method} {path.partition('?')[0]}: {answer.status_code} {self.seen.last}")
            return None
        return answer

    async def read(self, token: str, who: list[str]) -> Any:
        """Read every view of one caller."""
        offers = await self.ask("/options?include=all", token=token)
        for path in ("", "/prompts", "/statistics", "/tree", "/you"):
            await self.ask(path, token=token)
        for path in ("/events?limit=500", "/timeline?limit=500", "/timeline?limit=500&detail=full"):
            await self.ask(path, token=token)
        actor, other = self.random.choice(who), self.random.choice(who)
        await self.ask("/sight", token=token, params={"combatant": actor, "target": other})
        await self.ask(f"/combatants/{actor}/explain", token=token)
        return {} if offers is None or offers.status_code >= 300 else offers.json()

    async def use(self, made: Any, lines: list[Any]) -> None:
        """Read the combat and its past, play on, undo, and delete it."""
        gm = made["token"]
        there = made["board"]["combatants"]
        who = [entry["id"] for entry in there] or ["nobody"]
        tokens = [gm]
        for role in ("player", "spectator"):
            body = {"role": role, "combatants": who[:2] if role == "player" else []}
            answer = await self.ask("/tokens", "POST", gm, json=body)
            if answer is not None and answer.status_code < 300:
                tokens.append(answer.json()["token"])
        views = {token: await self.read(token, who) for token in tokens}
        for path in ("/export", f"/diff?from=1&to={len(lines) - 1}", "/tokens"):
            await self.ask(path, token=gm)
        for entry in there[:3]:
            for what in [("track", name) for name in list(entry.get("tracks", ()))[:2]] + [
                ("condition", held["id"]) for held in entry.get("conditions", ())[:2]
            ]:
                params = {"combatant": entry["id"], what[0]: what[1]}
                await self.ask("/why", token=gm, params=params)
        at = next(
            (number for number in range(1, len(lines)) if kind_of(lines[number]) == self.kind),
            len(lines) - 1,
        )
        for moment in {at, self.random.randrange(1, len(lines))}:
            for path in ("", "/options", "/prompts"):
                await self.ask(path, token=gm, params={"at": moment})
        played = await self.play(gm, views[gm], who)
        await self.ask("/undo", "POST", gm, json={})
        await self.ask("/goto", "POST", gm, json={"version": at})
        offers = await self.ask("/options", token=gm)
        if offers is not None and offers.status_code < 300:
            played |= await self.play(gm, offers.json(), who)
        self.verdict.played += played
        await self.ask("/end", "POST", gm, json={})
        await self.ask("", token=gm)
        await self.ask("", "DELETE", gm)

    async def play(self, gm: str, offers: Any, who: list[str]) -> bool:
        """Execute the first offers of each kind, then answer the prompts."""
        await self.ask("/begin", "POST", gm, json={})
        legal = [option for option in offers.get("options", ()) if option["legal"]]
        self.random.shuffle(legal)
        done = 0
        for offer in legal[:8]:
            inputs = self.random.choice(offer["examples"] or [{}])
            await self.ask("/preview", "POST", gm, json=_preview(offer, inputs))
            answer = await self.ask(*_command(offer), gm, json=_body(offer, inputs))
            done += answer is not None and answer.status_code < 300
            if done == 3:
                break
        for _ in range(4):
            answer = await self.ask("/prompts", token=gm)
            if answer is None or answer.status_code >= 300:
                break
            waiting = [prompt for prompt in answer.json()["prompts"] if not prompt["suspended"]]
            if not waiting:
                break
            prompt = self.random.choice(waiting)
            body: Any = {"inputs": {}}
            if prompt["kind"] == "roll":
                faces = prompt["data"].get("faces")
                body = {"inputs": {"faces": [1] * _count(faces)}}
            elif prompt["options"]:
                body = {"option": _option(self.random.choice(prompt["options"])), "inputs": {}}
            answer = await self.ask(f"/prompts/{prompt['id']}", "POST", gm, json=body)
            done += answer is not None and answer.status_code < 300
        return bool(done)


def _count(faces: Any) -> int:
    """Return the number of dice that a roll needs. A hostile file may contain any value."""
    wanted = faces.get("minItems") if isinstance(faces, dict) else None
    return wanted if isinstance(wanted, int) and 0 <= wanted <= 100 else 1


def _option(option: Any) -> str:
    return str(option["id"] if isinstance(option, dict) else option)


def _command(offer: Any) -> tuple[str, str]:
    if offer["prompt"] is not None:
        return f"/prompts/{offer['prompt']}", "POST"
    return ("/rulings" if offer["kind"] == "ruling" else "/actions"), "POST"


def _body(offer: Any, inputs: Any) -> Any:
    if offer["prompt"] is not None:
        return {"option": offer["id"], "inputs": inputs}
    if offer["kind"] == "ruling":
        return {"ruling": offer["id"], "inputs": inputs}
    return {"combatant": offer["who"], "action": offer["id"], "inputs": inputs}


def _preview(offer: Any, inputs: Any) -> Any:
    body = _body(offer, inputs)
    if offer["prompt"] is not None:
        return {"command": "answer", "prompt": offer["prompt"], **body}
    return {"command": "ruling" if offer["kind"] == "ruling" else "act", **body}


async def judged(http: httpx.AsyncClient, ruleset: str, seed: int, most: int) -> Verdict:
    """Judge `most` files of a rulebook."""
    judge = Judge(http, Random(seed))
    for kind, file in hostile(ruleset, seed, most):
        await judge.judge(kind, file)
        told = judge.verdict.refused + judge.verdict.taken
        if told % 50 == 0:
            print(f"{ruleset}: {judge.verdict}", file=sys.stderr, flush=True)
    return judge.verdict


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", choices=[*FIGHTS, []])
    parser.add_argument("--files", type=int, default=500, help="of each rulebook")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    with enterable() as folder:
        embedded = EmbeddedServer(folder / "data")
        dsn = await embedded.start()
        try:
            async with database(dsn) as made:
                settings = Settings(made, folder / "served", limits=UNLIMITED)
                app = create_app(settings, installed())
                async with app.state.service.running(app):
                    transport = httpx.ASGITransport(app=app.state.service.asgi)
                    async with httpx.AsyncClient(
                        transport=transport, base_url="http://localhost"
                    ) as http:
                        for ruleset in chosen.rulesets or FIGHTS:
                            began = time.process_time()
                            verdict = await judged(http, ruleset, chosen.seed, chosen.files)
                            took = time.process_time() - began
                            print(f"{ruleset}: {verdict}; {took:.0f} s of a processor", flush=True)
                            for what, count in Counter(verdict.faults).most_common():
                                print(f"  {count} × {what}", flush=True)
        finally:
            await embedded.stop()


if __name__ == "__main__":
    asyncio.run(main())
