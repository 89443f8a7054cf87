"""Marks: notices in the log about a combat, for programs that read the log."""

from typing import ClassVar, TypeAlias

from msgspec import Struct


class _Mark(Struct, frozen=True):
    """A notice outside the stream of a combat, without a version."""

    topic: ClassVar[str]
    combat: str

    @property
    def originator_id(self) -> str:
        """Return the combat's id."""
        return self.combat

    @property
    def originator_version(self) -> int:
        """Return 0, because the mark is not in the combat's stream."""
        return 0


class CombatDeleted(_Mark, frozen=True):
    """The combat was deleted. Discard everything about it. An import can restore it."""

    topic = "combat-deleted:1"


class TextsErased(_Mark, frozen=True):
    """Texts of a combat were erased. Discard the combat and read it again."""

    topic = "texts-erased:1"


Mark: TypeAlias = CombatDeleted | TextsErased

MARKS: dict[str, type[Mark]] = {kind.topic: kind for kind in (CombatDeleted, TextsErased)}
