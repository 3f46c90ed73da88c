"""The shapes of answers, as marshmallow schemas: published in the OpenAPI document and held against real answers."""

from __future__ import annotations

from marshmallow import INCLUDE, Schema, fields


class Open(Schema):
    """Answers may grow: unknown members are welcome."""

    class Meta:
        unknown = INCLUDE


class FieldProblem(Open):
    field = fields.String(required=True, metadata={"description": "where, as names joined by dots"})
    pointer = fields.String(required=True, metadata={"description": "where, as a JSON pointer"})
    code = fields.String(required=True)
    detail = fields.String(required=True, metadata={"description": "what was wrong and what would be accepted"})


class ProblemDocument(Open):
    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)
    errors = fields.List(fields.Nested(FieldProblem))
    code = fields.String(metadata={"description": "the id of a refusal of the rules"})
    rule = fields.String(metadata={"description": "the id of the rule that refuses"})


class Roll(Open):
    label = fields.String(required=True)
    sides = fields.Integer(required=True)
    faces = fields.List(fields.Integer(), required=True, metadata={"description": "in the order in which they fell"})
    source = fields.String(required=True, metadata={"description": "server, or table for faces that were handed in"})


class Explanation(Open):
    rule = fields.String(required=True)
    text = fields.String(required=True)


class Offer(Open):
    action = fields.String(required=True)
    params = fields.Dict(required=True)
    cost = fields.Dict(required=True)


class Pending(Open):
    topic = fields.String(required=True)
    about = fields.String(required=True)
    offers = fields.List(fields.Nested(Offer), required=True)


class CheckOutcome(Open):
    grade = fields.String(required=True, allow_none=True)
    grade_text = fields.String(required=True, allow_none=True)
    success = fields.Boolean(required=True, allow_none=True)
    pending = fields.Raw(
        metadata={
            "description": "a decision that the rule waits for: the question, as in `pending` of the answer; "
            "its topic alone where the outcome of the game has such a field itself"
        }
    )


class GradeChance(Open):
    grade = fields.String(required=True, allow_none=True)
    grade_text = fields.String(required=True, allow_none=True)
    p = fields.String(required=True, metadata={"description": "an exact fraction"})
    p_float = fields.Float(required=True)


class Odds(Open):
    success = fields.String(required=True, allow_none=True, metadata={"description": "an exact fraction"})
    success_float = fields.Float(required=True, allow_none=True)
    outcomes = fields.List(fields.Nested(GradeChance), required=True)


class CheckAnswer(Open):
    id = fields.String(required=True)
    system = fields.String(required=True)
    check = fields.String(required=True)
    label = fields.String(required=True)
    outcome = fields.Nested(CheckOutcome, required=True)
    rolls = fields.List(fields.Nested(Roll), required=True)
    explain = fields.List(fields.Nested(Explanation), required=True)
    pending = fields.Nested(Pending, metadata={"description": "the question that the rule waits for, if there is one"})
    odds = fields.Nested(Odds, metadata={"description": "with ?odds=true"})
    at = fields.String(required=True, metadata={"format": "date-time"})


class OddsAnswer(Open):
    system = fields.String(required=True)
    check = fields.String(required=True)
    label = fields.String(required=True)
    odds = fields.Nested(Odds, required=True)


class QueryAnswer(Open):
    system = fields.String(required=True)
    query = fields.String(required=True)
    outcome = fields.Dict(required=True)
    explain = fields.List(fields.Nested(Explanation), required=True)


class SheetError(Open):
    code = fields.String(required=True)
    detail = fields.String(required=True)


class SheetAnswer(Open):
    system = fields.String(required=True)
    outcome = fields.Dict(required=True, metadata={"description": "valid, errors, warnings, and what is derived"})
    errors = fields.List(fields.Nested(SheetError), required=True)


class QuestionAnswer(Open):
    system = fields.String(required=True)
    question = fields.String(required=True)
    outcome = fields.Dict(required=True, metadata={"description": "fractions as texts, `_float` beside each"})
    explain = fields.List(fields.Nested(Explanation), required=True)


class DiceAnswer(Open):
    id = fields.String(required=True)
    notation = fields.String(required=True)
    label = fields.String(required=True)
    outcome = fields.Nested(CheckOutcome, required=True)
    rolls = fields.List(fields.Nested(Roll), required=True)
    odds = fields.Nested(Odds, required=True, allow_none=True)
    at = fields.String(required=True)


class TableRow(Open):
    id = fields.String(required=True)
    at = fields.Raw(required=True, allow_none=True, metadata={"description": "the result, or [lowest, highest]"})
    text = fields.String(required=True)
    facts = fields.Dict(required=True)


class TableAnswer(Open):
    system = fields.String(required=True)
    table = fields.String(required=True)
    text = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)
    dice = fields.String(required=True, allow_none=True)
    thrown_on = fields.Boolean(required=True)
    rows = fields.List(fields.Nested(TableRow), required=True)


class FoundRow(Open):
    table = fields.String(required=True)
    row = fields.String(required=True)
    text = fields.String(required=True)
    facts = fields.Dict(required=True)


class TableOutcome(Open):
    row = fields.String(required=True, allow_none=True)
    rows = fields.List(fields.Nested(FoundRow), required=True)


class TableRollAnswer(Open):
    id = fields.String(required=True)
    system = fields.String(required=True)
    table = fields.String(required=True)
    label = fields.String(required=True)
    outcome = fields.Nested(TableOutcome, required=True)
    rolls = fields.List(fields.Nested(Roll), required=True)
    at = fields.String(required=True)


class BatchAnswer(Open):
    id = fields.String(required=True)
    rolls = fields.List(
        fields.Dict(), required=True, metadata={"description": "each the answer of its check, or a problem document"}
    )
    at = fields.String(required=True)


class SystemBrief(Open):
    id = fields.String(required=True)
    name = fields.String(required=True)
    dice = fields.String(required=True)
    edition = fields.String(required=True)
    rules_version = fields.String(required=True)
    languages = fields.List(fields.String(), required=True)


class SystemsAnswer(Open):
    systems = fields.List(fields.Nested(SystemBrief), required=True)


class SystemAnswer(SystemBrief):
    names = fields.List(fields.Dict(), required=True)
    tables = fields.List(fields.Dict(), required=True)
    options = fields.List(fields.Dict(), required=True)
    rulings = fields.List(fields.String(), required=True)
    rules = fields.List(fields.Dict(), required=True)
    marks = fields.String(required=True)
    commands = fields.List(fields.Dict(), required=True, metadata={"description": "of games, with their params"})
    answers = fields.List(fields.Dict(), required=True, metadata={"description": "to the questions of games"})
    switches = fields.Dict(required=True, allow_none=True, metadata={"description": "options of a new game"})
    character = fields.Dict(required=True, allow_none=True)
    schemas = fields.Dict(required=True)


class StatusAnswer(Open):
    status = fields.String(required=True)
    degraded = fields.List(fields.String())
