"""The meaning and the values of each field of an answer or a body, in one sentence.

A field that its Struct describes is not repeated here. The key is the name of the field, if it
means the same everywhere, or else "Struct.field".
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
    "rules": "Ids of the rules behind it",
    "version": "How many events the reader may see",
    "Derivation.version": "Version of the event",
    "Derivation.target": "The number to reach, with its terms; null = none, or withheld",
    "SumView.total": "The sum of the terms that count",
    "next": "Cursor of the page that follows; null = this is the last",
    "at": ("When it was recorded (RFC 3339)", DATE),
    "command": ("Id of the command", UUID),
    "by": "Role of its author",
    "round": "Number of the round, from 1; 0 = before the first",
    "who": "Id of the combatant; null = the GM",
    "combatant": "Id of the combatant",
    "reason": "Why, in the GM's words",
    "ruleset": "Id of the rulebook",
    "name": "Name for people",
    "events": "The events, oldest first",
    "prompts": "The questions that are open",
    "board": "The fight as it stands",
    "combatants": "The combatants",
    "owner": "Label of its player; null = the GM",
    "hidden": "Whether only the GM and its own player know of it",
    "sheet": "The rulebook's sheet",
    "undone": "Whether it was undone",
    "inputs": "Its inputs, as the rulebook's schema has it",
    "option": "Id of the option",
    "first": "Version of its first event",
    "last": "Version of its last event",
    "text": "In plain English",
    "token": "The token itself, shown this once",
    "ends_at": ("When it ends (RFC 3339); null = never by itself", DATE),
    "role": ("Role of the token", ROLE),
    "status": ("Whether the fight is being opened, runs, or has ended", STATUS),
    "dice": "Whether the service rolls or people do",
    "deadlines": "How long questions wait for their answer",
    "map": "The map, as the rulebook's schema has it; null = none",
    "winners": "The victorious sides",
    "sides": "The sides, in their order where it is fixed",
    "options": "The rulebook's options",
    "facts": "Facts of the rulebook, by name",
    "cost": "The kind of action that it takes",
    "purpose": "The rulebook's name of the roll",
    "faces": "Faces",
    "combat": ("Id of the combat", UUID),
    # ---- rulebooks
    "PromptInfo.name": "Name of the prompt, as standing orders use it",
    "RulesetView.budget": "Labels of the kinds of action",
    "RulesetView.derived": "Derived numbers of the board",
    "RulesetView.tracks": "The pools of points",
    "ActionView.cost": "What it costs, or usually costs, in words",
    "OfferView.cost": "What it costs, in words",
    "parties": "Ready fights",
    "summary": "In a sentence",
    "conditions": "The conditions",
    "tracks": "The pools of points, by name",
    "derived": "Numbers that follow from the rest",
    "budget": "How much of each kind of action it may spend",
    "known_to": "Readers beside the GM",
    # ---- the board
    "CombatantView.sheet": (
        "The rulebook's sheet. `name` and `owner` in it are empty: use those of the combatant"
    ),
    "source": "Id of the combatant that caused it",
    "ruling": "Id of the ruling",
    # ---- combats
    "Change.name": "New name; null = as before",
    "Change.side": "New side; null = as before",
    "Change.owner": "New owner's label; null = as before",
    "Change.hidden": "Whether it is hidden from now on; null = as before",
    "Change.sheet": "New values of top-level fields of the sheet",
    "Close.prompts": "Ids of the prompts; none = all",
    "labels": "Words under which the combat is found in the list",
    "orders": "Answers given in advance; they replace those before",
    # ---- events
    "result": "Result of the command, as far as the reader may know it",
    # ---- playing
    "OfferView.kind": (
        "Kind of the question that it answers. Without a `prompt`: turn, interjection or ruling",
        {"enum": [*KIND["enum"], "interjection"]},
    ),
    "rule": "Id of the rule",
    "action": "Id of the action",
    "PreviewAct.command": "Kind of command",
    "PreviewAnswer.command": "Kind of command",
    "PreviewRuling.command": "Kind of command",
    "lines": "In plain English, a line each",
    "chance": "Whether dice fell, other ones than those to come",
    "Sight.target": "Id of the combatant that it looks at",
    "private": "Whether it is for the GM alone",
    "over": "How far back",
    "Note.text": "The sentence",
    "Note.who": "Id of the combatant that says it; null = nobody",
    "Marker.text": "The words of the marker",
    "NewRequest.text": "The request in the player's words",
    "RequestView.text": "The request in the player's words",
    "Settlement.text": "The GM's answer, in words",
    "Settlement.over": (
        "What a granted undo takes back: the deed (`command`), or everything since the `turn` or"
        " the `round` began"
    ),
    "UndoWhat.over": (
        "What it takes back: the last `command`, or everything since the `turn` or the `round`"
        " began"
    ),
    # ---- history
    "Verification.events": "Number of events",
    "Explanation.name": "Name of the number",
    "common": "The last version that both come from",
    # ---- amendments
    "AmendedCommand.at": "Version of the first event of the changed command",
    "AmendedCommand.faces": "The faces that were set",
    "AmendCombat.changes": "Changes of past commands, in any order",
    "AmendCombat.since": (
        "Version of the first command to decide again without a change; null = the first change"
    ),
    "AmendCombat.dice": (
        "Source of new rolls: `server` rolls, `list` takes `faces` first, `ask` ends the report"
    ),
    "AmendCombat.faces": "Faces for new rolls, in order; a roll takes the next that fit",
    "AmendCombat.prompts": (
        "New prompts without one of `answers`: `ask` ends the report, `default` answers them"
    ),
    "AmendCombat.answers": "Answers to new prompts",
    "AmendCombat.impossible": (
        "A refused command: `stop` ends there, `skip` leaves it out, `ask` wants a change"
    ),
    # ---- statistics
    "DiceLuck.total": "The sum of their faces",
    # ---- webhooks
    "RotateSecret.overlap_s": "Seconds for which the previous secret signs calls too",
    "url": "The address that is called",
    "occasions": "Occasions of a call",
    "secret": "Signs the calls; shown this once",
    "WebhookPing.type": "Always ping",
}


def describe(components: dict[str, Any]) -> None:
    """Add a sentence to each field that has none, and the values that it may have, in place."""
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
