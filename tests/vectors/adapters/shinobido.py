"""Names that differ between the cases and the public answer; no rule stands here."""

# action -> fields of `given` that are facts of a running game: such a case is a command, not the stateless name
_COMMAND = {"combat", "by", "phase", "pending", "statuses", "scene", "clock"}
STATE: dict[str, set[str]] = dict.fromkeys(
    (
        "check",
        "opposed_check",
        "contest",
        "attack",
        "focus_attack",
        "hazard",
        "first_aid",
        "flee",
        "heroic_surge",
        "shake_off",
        "dying_check",
        "roll_initiative",
        "surprise",
        "create_character",
    ),
    _COMMAND,
)
# expected field -> field of the outcome
RENAMED: dict[str, str] = {}
# fields that are compared without order
SETS: set[str] = set()
