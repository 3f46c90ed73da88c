"""The running game that a case describes; no rule is here."""

from __future__ import annotations

from typing import Any

from systems.core.convert import to_struct
from systems.core.game import change
from systems.core.seats import GM, Seat
from systems.core.values import Map
from systems.shinobido.commands import Check
from systems.shinobido.sheet import Sheet, settled
from systems.shinobido.state import Fight, OpenAction, Scene, Secret, Story, Task
from systems.shinobido.switches import Switches

NARRATED = {
    "set_penalty", "award_description", "rest", "start_mission", "start_scene", "start_combat", "late_arrival",
    "end_combat", "end_scene", "end_mission", "reveal", "secret_check", "set_option", "gm_set", "hazard", "contest",
    "dying_check",
}  # fmt: skip
OUTSIDE = {
    "rest", "start_mission", "start_scene", "start_combat", "end_scene", "end_mission", "advance", "dying_check",
    "create_character", "long_task", "roll_initiative", "surprise",
}  # fmt: skip
ANSWERS = ("answer_decision", "use_reroll", "decision_timeout")
ROLES = ("actor", "target", "character", "patient", "opponent", "ally", "a", "b")
ON_SHEET = (
    "wounds", "focus", "merit", "hindrance", "hindrance_attr", "surges_used", "reroll_used", "second_wind",
    "first_aid_tried", "merit_from_awards", "overkill", "status",
)  # fmt: skip


class World:
    """The game that a case describes: who is who, and the state before the message."""

    def __init__(self, action: str, given: dict[str, Any]) -> None:
        self.action, self.given = action, given
        self.by = given.get("by")
        self.names: dict[str, str] = {}
        self.cast: dict[str, Sheet] = {}
        combat = given.get("combat") if isinstance(given.get("combat"), dict) else None
        self.combat: dict[str, Any] | None = combat
        self._people()
        self.actor = self._actor()
        self.game = self._scene()

    def _people(self) -> None:  # noqa: C901, PLR0912
        for many in ("characters", "combatants", "targets", "opponents"):
            for at, raw in enumerate(self.given.get(many, ()), 1):
                if isinstance(raw, dict):
                    self._person(raw, f"{many} {at}")
        for role in ROLES:
            raw = self.given.get(role)
            if isinstance(raw, dict):
                by_id = role in ("actor", "character") and self.by not in (None, "player", "narrator")
                self.names[role] = self._person(raw, str(self.by) if by_id else role)
            elif isinstance(raw, str):
                self.names[role] = raw
        for ids in (self.given.get("sides") or {}).values():
            for one in ids:
                if isinstance(one, dict):
                    self._person(one, "one")
        for id in self._mentioned():
            self.cast.setdefault(id, settled(Sheet(id=id, attributes=Map())))
        for id, status in (self.given.get("statuses") or {}).items():
            self.cast[id] = change(self.cast[id], status=status)
        for flag in ("surprised", "guarding"):
            for id in self._listed(flag):
                self.cast[id] = change(self.cast[id], **{flag: True})

    def _listed(self, name: str) -> list[str]:
        value = self.given.get(name)
        return value if isinstance(value, list) else []

    def _person(self, raw: dict[str, Any], role: str) -> str:
        sheet = settled(to_struct({"attributes": {}} | raw, Sheet))
        id = sheet.id or role
        self.cast[id] = change(sheet, id=id)
        return id

    def _mentioned(self) -> list[str]:
        ids = [*(self.combat or {}).get("order", ()), *(self.given.get("statuses") or {})]
        ids += [one for members in (self.given.get("sides") or {}).values() for one in members if isinstance(one, str)]
        ids += self._listed("surprised") + self._listed("guarding")
        ids += list(self.names.values())
        pending = self.given.get("pending")
        if isinstance(pending, dict) and pending.get("for"):
            ids.append(pending["for"])
        if self.by not in (None, "player", "narrator"):
            ids.append(str(self.by))
        return ids

    def _actor(self) -> str:
        """`by` acts if nobody is named; else whose turn it is; else somebody who is there."""
        named = self.names.get("actor") or self.names.get("character")
        if named and self.action not in ("rest", "late_arrival", "reveal"):
            who = named
        elif self.by not in (None, "player", "narrator"):
            who = str(self.by)
        elif self.combat:
            who = self.combat["turn"]
        else:
            used = set(self.names.values())
            who = next((id for id in self.cast if id not in used), "actor")
        if who not in self.cast:
            self.cast[who] = settled(Sheet(id=who, attributes=Map()))
        on_sheet = {name: self.given[name] for name in ON_SHEET if name in self.given and named is not None}
        if self.action in ("gm_set", "set_option"):
            on_sheet = {}
        if on_sheet:
            self.cast[who] = change(self.cast[who], **on_sheet)
        return who

    def _scene(self) -> Scene:
        given = self.given
        target = self.names.get("target") or self.names.get("patient") or self.names.get("ally")
        if self.action in ("attack", "focus_attack") and not target:
            others = [id for id in (self.combat or {}).get("order", ()) if id != self.actor]
            target = next((id for id in others if self.cast[id].status == "standing"), "target")
            self.cast.setdefault(target, settled(Sheet(id=target, attributes=Map())))
        self.target = target or ""
        switches = to_struct(given.get("options", {}), Switches)
        between = given.get("between_missions", self.action in ("advance", "create_character", "start_mission"))
        ally = self.names.get("ally")
        helped = {ally or self.actor: tuple(f"helper {n}" for n in range(given.get("helpers", 0)))}
        tasks = {}
        if "clock" in given and "segments" not in given:
            tasks[given["clock"]] = Task(given.get("task_segments", 6), given.get("attribute", "wits"))
        story = Story(
            phase="between" if between else "scene",
            mission=1,
            scene=given["scene"] if isinstance(given.get("scene"), int) else 1,
            assists=Map({who: by for who, by in helped.items() if by}),
            tasks=Map(tasks),
            secrets=(Secret(str(given["check"]), self.actor, "wits", 0),)
            if isinstance(given.get("check"), str)
            else (),
        )
        fight = self._fight()
        return Scene(
            cast=Map(self.cast),
            switches=switches,
            rerolls="reroll" in given or bool(given.get("pending")),
            fight=fight,
            story=story,
            open_action=self._open_action(),
            open_decision=self._pending() if self.action not in ANSWERS else "",
        )

    def _pending(self) -> str:
        pending = self.given.get("pending")
        return str(pending.get("type", "")) if isinstance(pending, dict) else str(pending or "")

    def _fight(self) -> Fight | None:
        if self.given.get("combat") in (None, False) and "combat" in self.given:
            return None
        if self.combat is None:
            if self.action in OUTSIDE or self.action == "late_arrival" or self.given.get("in_combat") is False:
                return None
            if self.action in ("check", "opposed_check", "contest", "hazard", "heroic_surge", "first_aid") and not (
                self.given.get("in_combat")
            ):
                return None
            for extra in ("ally beside", "enemy beside"):
                self.cast[extra] = settled(Sheet(id=extra, attributes=Map()))
            enemies = tuple(id for id in self.cast if id not in (self.actor, "ally beside", self.names.get("ally")))
            friends = tuple(id for id in self.cast if id not in enemies)
            if "opponents" in self.given and not self.given["opponents"]:
                self.cast["enemy beside"] = change(self.cast["enemy beside"], status="down")
            return Fight(Map({"one": friends, "two": enemies}), tuple(self.cast), turn=self.actor)
        order = tuple(self.combat.get("order", ()))
        sides = self.given.get("sides") or {"one": order[:1], "two": order[1:]}
        return Fight(
            Map({side: tuple(ids) for side, ids in sides.items()}),
            order,
            round=self.combat.get("round", 1),
            turn=self.combat.get("turn", ""),
            acted=tuple(self.combat.get("acted", ())),
            attacked=Map({self.target: tuple(f"other {n}" for n in range(self.given.get("earlier_attackers", 0)))})
            if self.target
            else Map(),
        )

    def _open_action(self) -> OpenAction | None:
        phase = self.given.get("phase")
        wanted = ("withdraw_action", "set_penalty", "award_description", "roll")
        if phase is None and self.action not in wanted:
            return None
        default = "penalised" if self.action == "roll" else "declared"
        attribute = self.given.get("attribute", "agility")
        return OpenAction(self.actor, Check(attribute, self.actor), phase or default)

    def seat(self) -> Seat:
        """Who calls: the rightful caller unless the case names another."""
        narrated = self.action in NARRATED or "segments" in self.given
        if self.by == "narrator" or (self.by is None and narrated):
            return GM
        if self.by == "player" and self.names.get("actor") is None and self.action in NARRATED:
            return Seat("player", characters=())
        return Seat("player", characters=(str(self.by),) if self.by in self.cast else (self.actor,))
