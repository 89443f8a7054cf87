"""Erasure: erase texts, and delete combats."""

from collections.abc import Iterable, Iterator

from domain.record.erasure import erase as erased
from domain.record.events import CombatantChanged, CombatantJoined, CombatOpened, MapSet
from domain.record.recorded import Recorded, encode
from service.answers import Answer, Idempotency, keep
from service.combats import Combats
from service.hot_combat import Hot
from service.loader import NotHere
from service.store.pictures import Pictures
from service.store.rows import TokenRow, Unavailable


async def erase(
    combats: Combats,
    pictures: Pictures,
    hot: Hot,
    row: TokenRow,
    *,
    who: str | None,
    version: int | None,
    idempotency: Idempotency | None,
) -> Answer:
    """Erase texts in the log, in stored answers, and in the memory of every process."""

    async def once(row: TokenRow) -> Answer:
        if who is not None:
            hot.live.combat[who]
        if version is not None:
            hot.live.history.resolve(version)
        assert hot.head is not None
        whole = await combats.whole(hot)
        changed = erased(whole, who=who, version=version)
        await pictures.erase(hot.id, set(_pictures(whole, who, version)))
        answer = Answer(204, "", b"")
        await combats.store.rewrite(
            hot.id,
            hot.head,
            [(recorded.version, combats.mapper.sealed(encode(recorded))) for recorded in changed],
            None if idempotency is None else keep(row, idempotency, answer),
        )
        await _renew(combats, hot)
        return answer

    return await combats.changing(hot, row, idempotency, once)


def _pictures(recorded: Iterable[Recorded], who: str | None, version: int | None) -> Iterator[str]:
    """Return the pictures that the events of a combatant, or one event, have named."""
    for event in recorded:
        if event.version != version and (who is None or getattr(event.event, "who", "") != who):
            continue
        match event.event:
            case (
                CombatantJoined(sheet={"picture": str(picture)})
                | CombatantChanged(sheet={"picture": str(picture)})
                | CombatOpened(map={"background": {"picture": str(picture)}})
                | MapSet(map={"background": {"picture": str(picture)}})
            ):
                yield picture


async def _renew(combats: Combats, hot: Hot) -> None:
    """Read the combat again at once, so that memory drops the erased texts."""
    hot.doubt()
    try:
        await combats.bring(hot)
    except (Unavailable, NotHere):  # the texts are erased in any case
        hot.forget()


async def delete(combats: Combats, hot: Hot, row: TokenRow) -> None:
    """Delete a combat."""

    async def once(row: TokenRow) -> None:
        assert hot.head is not None
        await combats.store.delete(hot.id, hot.head)
        hot.doubt()
        combats.let_go(hot.id)

    await combats.changing(hot, row, None, once)
