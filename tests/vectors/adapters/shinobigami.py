"""Names that differ between the cases and the public answer; no rule stands here."""

# action -> fields of `given` that are facts of a running game: such a case is a command, not the stateless name
STATE: dict[str, set[str]] = {
    "recovery_check": {"phase"},
    "emotion_check": {"major_action_done"},
    "use_ninpo_check": {"already_used", "sealed"},
    "use_ohgi": {"used_this_round"},
}
# expected field -> field of the outcome
RENAMED = {"outcome": "grade"}
# fields that are compared without order
SETS = {"dropped", "backlash", "learned_by"}
