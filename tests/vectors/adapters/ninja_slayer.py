"""Names that differ between the cases and the public answer; no rule stands here."""

# action -> fields of `given` that are facts of a running game: such a case is a command, not the stateless name
STATE: dict[str, set[str]] = {
    "cartwheel": {"focus", "style_declared"},
    "evade": {"already_attempted"},
    "kaishaku": {"phase"},
    "atmosphere": {"declare_phase"},
}
# expected field -> field of the outcome
RENAMED: dict[str, str] = {}
# fields that are compared without order
SETS: set[str] = set()
