"""Sheets after a night, a scene, a mission, and after their ratings changed (sections 2.2, 6 and 9)."""

from __future__ import annotations

from systems.core.game import change
from systems.core.values import Map
from systems.shinobido.events import pool_with
from systems.shinobido.sheet import Sheet
from systems.shinobido.state import Scene


def after_night(sheet: Sheet) -> Sheet:
    """One wound less, Focus full; whoever was Down stands with it (SD-W10, SD-W08, SD-W15)."""
    if sheet.status == "dead":
        return sheet
    rested = change(sheet, wounds=max(0, sheet.wounds - 1), focus=sheet.focus_max)
    return standing_again(rested)


def standing_again(sheet: Sheet) -> Sheet:
    up = sheet.status == "down" and sheet.wounds < sheet.health
    return change(sheet, status="standing") if up else sheet


def after_scene(sheet: Sheet, wake: bool) -> Sheet:
    """SD-T05: the counters of the scene, one Focus for a living PC; then those who fled, then the Down (SD-T11)."""
    calm = change(
        sheet, surges_used=0, second_wind=False, reroll_used=False, first_aid_tried=False, guarding=False,
        surprised=False, hindrance=0, hindrance_attr=None,
    )  # fmt: skip
    if calm.kind == "pc" and calm.status != "dead":
        calm = change(calm, focus=pool_with(calm, 1))
    if calm.status == "fled":
        return change(calm, status="standing")
    if calm.status == "down" and calm.kind == "pc" and wake:
        return change(calm, status="standing", wounds=min(calm.wounds, calm.health - 1))
    return calm


def after_mission_start(sheet: Sheet) -> Sheet:
    """Wounds as they are, Focus full, awards count anew (SD-T01, SD-F02, SD-G04)."""
    return change(sheet, focus=sheet.focus_max, merit_from_awards=0)


def after_downtime(sheet: Sheet) -> Sheet:
    """All wounds healed, Focus full (SD-W11); a captive stays one (SD-T11)."""
    if sheet.status == "dead":
        return sheet
    healed = change(after_scene(sheet, True), wounds=0, focus=sheet.focus_max)
    return change(healed, status="standing") if healed.status in ("down", "dying") else healed


def recomputed(game: Scene) -> Scene:
    """Focus above a lowered maximum is lost, wounds are cut at a lowered Health and drop without a Surge (SD-D06)."""
    cast = {who: _fitting(sheet) for who, sheet in game.cast.items()}
    return game if all(cast[who] is game.cast[who] for who in cast) else change(game, cast=Map(cast))


def _fitting(sheet: Sheet) -> Sheet:
    fitting = sheet
    if sheet.pool > sheet.focus_max:
        fitting = change(fitting, focus=sheet.focus_max)
    if sheet.toughness_attr and not sheet.tied:
        fitting = change(fitting, toughness_attr=None)
    if sheet.wounds > sheet.health:
        fitting = change(fitting, wounds=sheet.health)
    if fitting.wounds >= fitting.health and fitting.status == "standing":
        fitting = change(fitting, status="down")
    return fitting
