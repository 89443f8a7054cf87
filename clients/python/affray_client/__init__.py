"""A client of Affray, the combat service for tabletop role-playing games."""

from affray_client import operations, shapes
from affray_client.async_client import AsyncAffray, AsyncCombat
from affray_client.dice import Dice, DiceTerm, Die, dice_of
from affray_client.forms import (
    Choice,
    Fault,
    Field,
    Form,
    field_at,
    fields_of,
    form_of,
    inputs_of,
    polarity_of,
)
from affray_client.messages import Message, StreamState, Times
from affray_client.operation import Operation
from affray_client.problems import AffrayError, Problem, Unreachable
from affray_client.prompts import prompts_of
from affray_client.sync_client import Affray, Combat
from affray_client.versions import Compatibility, compare

__version__ = shapes.VERSION

__all__ = [
    "Affray",
    "AffrayError",
    "AsyncAffray",
    "AsyncCombat",
    "Choice",
    "Combat",
    "Compatibility",
    "Dice",
    "DiceTerm",
    "Die",
    "Fault",
    "Field",
    "Form",
    "Message",
    "Operation",
    "Problem",
    "StreamState",
    "Times",
    "Unreachable",
    "compare",
    "dice_of",
    "field_at",
    "fields_of",
    "form_of",
    "inputs_of",
    "operations",
    "polarity_of",
    "prompts_of",
    "shapes",
]
