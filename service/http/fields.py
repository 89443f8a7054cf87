"""A description of each field of the contract, in one sentence, and the values that it may have.

Only fields that their Struct does not describe are here. The key is the name of the field if the
meaning is the same everywhere. Otherwise, it is "Struct.field".
"""

from typing import Any, Final

DATE: Final = {"format": "date-time"}
UUID: Final = {"format": "uuid"}
ROLE: Final = {"enum": ["gm", "player", "spectator"]}
STATUS: Final = {"enum": ["opening", "running", "ended"]}
KIND: Final = {"enum": ["turn", "declare", "reaction", "roll", "choice", "ruling"]}

ABOUT: Final[dict[str, str | tuple[str, dict[str, Any]]]] = {
    # ---- everywhere
    "id": "Id",
    "label": "A short name for people",
    "title": "Title for people",
    "about": "Description in one sentence",
    "rules": "Ids of the rules that apply",
    "version": "Number of events that the reader may see",
    "Derivation.version": "Version of the event",
    "Derivation.target": "The number to reach, with its terms. `null`: none, or withheld",
    "SumView.total": "The sum of the terms that count",
    "next": "Cursor of the next page. `null`: this is the last page",
    "at": ("Time at which Affray recorded it (RFC 3339)", DATE),
    "command": ("Id of the command", UUID),
    "by": "Role of the author",
    "round": "Number of the round, from 1. `0`: before the first",
    "who": "Id of the combatant. `null`: the GM",
    "combatant": "Id of the combatant",
    "reason": "The reason, in the GM's words",
    "ruleset": "Id of the rulebook",
    "name": "Name for people",
    "events": "The events, oldest first",
    "prompts": "The open prompts",
    "board": "The current state of the combat",
    "combatants": "The combatants",
    "owner": "Label of the combatant's player. `null`: the GM",
    "hidden": "Whether only the GM and the combatant's own player know of it",
    "sheet": "The rulebook's sheet",
    "undone": "Whether it was undone",
    "inputs": "Inputs, in the form of the rulebook's schema",
    "option": "Id of the option",
    "first": "Version of its first event",
    "last": "Version of its last event",
    "text": "In plain English",
    "token": "The secret of the token. Store it, because Affray shows it only once",
    "ends_at": ("Time at which it expires (RFC 3339). `null`: never", DATE),
    "role": ("Role of the token", ROLE),
    "status": ("State of the fight: not yet begun, running, or ended", STATUS),
    "dice": "Source of dice: the service, or people",
    "deadlines": "Time limits of prompts",
    "map": "The map, in the form of the rulebook's schema. `null`: none",
    "winners": "The victorious sides",
    "sides": "The sides, in their order if the rulebook fixes one",
    "options": "The rulebook's options",
    "facts": "Facts of the rulebook, by name",
    "cost": "Kind of action that it costs",
    "purpose": "The rulebook's name of the roll",
    "faces": "Faces of the dice",
    "combat": ("Id of the combat", UUID),
    # ---- rulebooks
    "PromptInfo.name": "Name of the prompt. Use it in standing orders",
    "RulesetView.budget": "Labels of the kinds of action",
    "RulesetView.derived": "Derived numbers of the board",
    "RulesetView.tracks": "The pools of points",
    "ActionView.cost": "Cost, or usual cost, in words",
    "OfferView.cost": "Cost, in words",
    "parties": "Ready fights",
    "summary": "Summary in one sentence",
    "conditions": "The conditions",
    "tracks": "The pools of points, by name",
    "derived": "Numbers that the rulebook computes",
    "budget": "Actions that are left, by kind",
    "known_to": "Readers other than the GM",
    # ---- the board
    "CombatantView.sheet": (
        "The rulebook's sheet. Its `name` and `owner` are empty: use those of the combatant"
    ),
    "source": "Id of the combatant that caused it",
    "ruling": "Id of the ruling",
    # ---- combats
    "Change.name": "New name. `null`: as before",
    "Change.side": "New side. `null`: as before",
    "Change.owner": "New owner's label. `null`: as before",
    "Change.hidden": "Whether the combatant is now hidden. `null`: as before",
    "Change.sheet": "New values of top-level fields of the sheet",
    "Close.prompts": "Ids of the prompts. Without ids, all prompts",
    "labels": "Words by which you find the combat in the list",
    "orders": "Answers given in advance. They replace all earlier orders",
    # ---- events
    "result": "The part of the command's result that the reader may know",
    # ---- playing
    "OfferView.kind": (
        "Kind of the prompt that it answers. Without a `prompt`: turn, interjection or ruling",
        {"enum": [*KIND["enum"], "interjection"]},
    ),
    "rule": "Id of the rule",
    "action": "Id of the action",
    "PreviewAct.command": "Kind of command",
    "PreviewAnswer.command": "Kind of command",
    "PreviewRuling.command": "Kind of command",
    "lines": "The events in plain English, one line for each",
    "chance": "Whether dice were rolled. The real command rolls other dice",
    "Sight.target": "Id of the combatant that `combatant` looks at",
    "private": "Whether only the GM can read it",
    "over": "Range of the undo",
    "Note.text": "The sentence",
    "Note.who": "Id of the combatant that says the sentence. `null`: nobody",
    "Marker.text": "The words of the marker",
    "NewRequest.text": "The request in the player's words",
    "RequestView.text": "The request in the player's words",
    "Settlement.text": "The GM's answer, in words",
    "Settlement.over": (
        "Range of a granted undo: the deed (`command`), or everything since the start of the `turn`"
        " or the `round`"
    ),
    "UndoWhat.over": (
        "Range of the undo: the last `command`, or everything since the start of the `turn` or the"
        " `round`"
    ),
    # ---- history
    "Verification.events": "Number of events",
    "Explanation.name": "Name of the number",
    "common": "The last version that both branches share",
    # ---- amendments
    "AmendedCommand.at": "Version of the first event of the changed command",
    "AmendedCommand.faces": "The faces that the GM set",
    "AmendCombat.changes": "Changes of past commands, in any order",
    "AmendCombat.since": (
        "Version of the first command to decide again if it has no change. `null`: the first change"
    ),
    "AmendCombat.dice": (
        "Source of new rolls. `server`: the service rolls. `list`: `faces` come first. `ask`: the"
        " report ends at a new roll"
    ),
    "AmendCombat.faces": "Faces for new rolls, in order. A roll takes the next faces that fit",
    "AmendCombat.prompts": (
        "Treatment of new prompts without an answer in `answers`. `ask`: the report ends."
        " `default`: they take their default"
    ),
    "AmendCombat.answers": "Answers to new prompts",
    "AmendCombat.impossible": (
        "Treatment of a refused command. `stop`: the new branch ends before it. `skip`: Affray"
        " leaves it out. `ask`: the report ends, and you must add a change"
    ),
    # ---- statistics
    "DiceLuck.total": "The sum of their faces",
    # ---- webhooks
    "RotateSecret.overlap_s": "Seconds for which the previous secret also signs calls",
    "url": "The address that the service calls",
    "occasions": "Occasions for a call",
    "secret": "The secret that signs the calls. Store it: it is shown only once",
    "WebhookPing.type": "Always ping",
}


def describe(components: dict[str, Any]) -> None:
    """Add the accepted values and any missing description to each field, in place."""
    for struct, schema in components.items():
        for name, field in schema.get("properties", {}).items():
            if "description" in field:
                continue
            about = ABOUT.get(f"{struct}.{name}", ABOUT.get(name, ""))
            text, values = (about, {}) if isinstance(about, str) else about
            if not text and len(field.get("enum", ())) == 1:
                text = f"Always {field['enum'][0]}"
            if text:
                field["description"] = text
            for branch in (field, *field.get("anyOf", ())):
                plain = branch.get("type") == "string" and not {"enum", "const"} & branch.keys()
                if plain and branch.get("default") != "":
                    branch.update(values)


def name_fields(schema: dict[str, Any]) -> None:
    """Describe, in place, a rulebook's fields without a description by their names as words."""
    for name, field in schema.get("properties", {}).items():
        field.setdefault("description", name.strip("_").replace("_", " ").capitalize())
