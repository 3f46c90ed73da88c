"""What the store promises, on SQLite and on PostgreSQL."""

from __future__ import annotations

import threading

import pytest

from service.store.games import Games
from service.store.records import Append, Clash, Head, Invite, InviteSpent, KeyTaken, UnknownGame
from tests.store.samples import appended, create, epoch, play, row


class TestGames:
    def test_a_new_game_stands_where_it_was_put(self, store: Games) -> None:
        first = row(1, kind="created", snapshot=b"\x00\xff")
        create(store, row=first, credentials={"a": "gm", "b": "p1"}, standing=b"\x00standing\xff")
        head, found = store.head("g")
        assert (head.game, head.system, head.seq, head.credentials) == ("g", "trial", 1, {"a": "gm", "b": "p1"})
        assert found is None and store.standing(head) == b"\x00standing\xff"
        assert store.rows("g", 0, 10) == [first] and store.mark_of("g") == "made"
        assert store.epochs("g") == [epoch("g")] and store.secret("g") == epoch("g")
        assert store.awake()

    def test_an_id_is_given_once(self, store: Games) -> None:
        create(store)
        with pytest.raises(KeyTaken):
            create(store, mark="another", standing=b"other", row=row(1, seat="p9"), epoch=epoch("g", 5))
        assert store.mark_of("g") == "made" and store.epochs("g") == [epoch("g")]
        assert store.row("g", 1).seat == "gm"  # type: ignore[union-attr]

    def test_what_does_not_exist(self, store: Games) -> None:
        assert store.mark_of("g") is None and store.row("g", 1) is None and store.counts("g", 1) is None
        assert store.rows("g", 0, 10) == [] and store.epochs("g") == [] and store.invite("code") is None
        assert store.snapshot_before("g", 9) is None and store.undone_like("g", "base 1") is None
        for asked in (
            lambda: store.head("g"),
            lambda: store.head("g", "key"),
            lambda: store.standing(Head("g", "trial", 1, {})),
            lambda: store.secret("g"),
            lambda: store.append(appended(1)),
        ):
            with pytest.raises(UnknownGame):
                asked()
        store.settle_due("g", 1, 5)
        store.delete("g")

    def test_delete_leaves_nothing(self, store: Games) -> None:
        play(store, 3)
        play(store, 3, "other")
        store.append(appended(3, invites=(Invite("code", "g", "p1"),)))
        store.delete("g")
        assert store.mark_of("g") is None and store.rows("g", 0, 10) == [] and store.epochs("g") == []
        assert store.invite("code") is None and len(store.rows("other", 0, 10)) == 3
        create(store)
        assert store.head("g")[0].seq == 1


class TestRows:
    def test_a_row_comes_back_as_it_went(self, store: Games) -> None:
        create(store)
        full = row(2, message=b"\x00\xff", answer=b"told", key="k", mark="m", snapshot=b"", shown=b"counts")
        store.append(Append("g", 1, full, b"standing 2", None))
        assert store.row("g", 2) == full and store.counts("g", 2) == b"counts"
        head, found = store.head("g", "k")
        assert (head.seq, found) == (2, full) and store.standing(head) == b"standing 2"
        assert store.head("g", "other")[1] is None

    def test_a_range(self, store: Games) -> None:
        play(store, 9)
        seqs = [one.seq for one in store.rows("g", 2, 3)]
        assert seqs == [3, 4, 5]
        assert [one.seq for one in store.rows("g", 2, 100, until=7)] == [3, 4, 5, 6, 7]
        assert store.rows("g", 9, 100) == [] and store.rows("g", 0, 0) == []

    def test_credentials_stay_unless_given(self, store: Games) -> None:
        create(store)
        store.append(appended(1))
        assert store.head("g")[0].credentials == {"hash": "gm"}
        store.append(appended(2, credentials={}))
        assert store.head("g")[0].credentials == {}

    def test_the_newest_snapshot_up_to_a_row(self, store: Games) -> None:
        create(store, row=row(1, kind="created", snapshot=b"one"))
        store.append(appended(1))
        store.append(appended(2, row_with={"snapshot": b"three"}))
        store.append(appended(3))
        found = [store.snapshot_before("g", seq) for seq in range(5)]
        assert found == [None, (1, b"one"), (1, b"one"), (3, b"three"), (3, b"three")]


class TestClashes:
    def test_a_message_decided_on_an_older_row(self, store: Games) -> None:
        play(store, 3)
        for seq in (2, 4):
            with pytest.raises(Clash):
                store.append(appended(seq, due=7, credentials={}, invites=(Invite("code", "g", "p1"),)))
        assert len(store.rows("g", 0, 10)) == 3 and store.invite("code") is None
        assert store.head("g")[0].credentials == {"hash": "gm"} and store.due(99, 9) == []

    def test_a_head_that_is_no_longer_true(self, store: Games) -> None:
        play(store, 2)
        old, _ = store.head("g")
        store.append(appended(2))
        with pytest.raises(Clash):
            store.standing(old)

    def test_a_game_made_anew_is_another_one(self, store: Games) -> None:
        create(store)
        old, _ = store.head("g")
        store.delete("g")
        create(store)
        with pytest.raises(Clash):
            store.standing(old)

    def test_a_key_is_used_once_in_a_game(self, store: Games) -> None:
        play(store, 2)
        create(store, "other")
        store.append(appended(2, row_with={"key": "k"}))
        with pytest.raises(KeyTaken):
            store.append(appended(3, row_with={"key": "k"}))
        assert store.head("g")[0].seq == 3 and len(store.rows("g", 0, 10)) == 3
        store.append(appended(1, "other", row_with={"key": "k"}))
        store.append(appended(3, row_with={"key": None}))
        store.append(appended(4, row_with={"key": None}))

    def test_a_row_that_skips_one_is_a_mistake(self, store: Games) -> None:
        create(store)
        with pytest.raises(ValueError, match="follows"):
            store.append(Append("g", 1, row(3), b"", None))

    def test_two_threads_race(self, store: Games) -> None:
        """Two hundred rows each: every seq once, every clash tried again."""
        create(store)

        def run(seat: str) -> None:
            done = 0
            while done < 200:
                try:
                    store.append(appended(store.head("g")[0].seq, row_with={"seat": seat}))
                    done += 1
                except Clash:
                    continue

        threads = [threading.Thread(target=run, args=(seat,)) for seat in ("p1", "p2")]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        kept = store.rows("g", 1, 1_000)
        assert [one.seq for one in kept] == list(range(2, 402))
        assert [one.seat for one in kept].count("p1") == 200


class TestInvites:
    def test_an_invite_is_redeemed_once(self, store: Games) -> None:
        play(store, 2)
        store.append(appended(2, invites=(Invite("c1", "g", "p1"), Invite("c2", "g", "p2"))))
        assert store.invite("c1") == Invite("c1", "g", "p1")
        store.append(appended(3, used="c1", credentials={"x": "p1"}))
        assert store.invite("c1") == Invite("c1", "g", "p1", used=True)
        assert store.invite("c2") == Invite("c2", "g", "p2")
        with pytest.raises(InviteSpent):
            store.append(appended(4, used="c1", credentials={"y": "p1"}))
        assert store.head("g")[0].seq == 4 and store.head("g")[0].credentials == {"x": "p1"}

    @pytest.mark.parametrize("code", ["c1", "none"])
    def test_an_invite_of_another_game_is_none(self, store: Games, code: str) -> None:
        create(store, "other")
        store.append(appended(1, "other", invites=(Invite("c1", "other", "p1"),)))
        create(store)
        with pytest.raises(InviteSpent):
            store.append(appended(1, used=code))

    def test_a_revoked_seat_loses_its_unused_invites(self, store: Games) -> None:
        create(store)
        old = (Invite("c1", "g", "p1"), Invite("c2", "g", "p1"), Invite("c3", "g", "p2"))
        store.append(appended(1, invites=old))
        store.append(appended(2, used="c1"))
        store.append(appended(3, revoked=("p1", "p9"), invites=(Invite("c4", "g", "p1"),)))
        assert [store.invite(code) is not None for code in ("c1", "c2", "c3", "c4")] == [True, False, True, True]


class TestUndo:
    def test_rows_after_it_are_marked_but_not_its_own(self, store: Games) -> None:
        play(store, 5)
        store.append(appended(5, undo_after=2, row_with={"kind": "undo"}))
        assert [one.undone for one in store.rows("g", 0, 10)] == [False, False, True, True, True, False]

    def test_the_newest_undone_row_like_it(self, store: Games) -> None:
        create(store)
        for seq in (1, 2, 3):
            store.append(appended(seq, row_with={"base": "same"}))
        assert store.undone_like("g", "same") is None
        store.append(appended(4, undo_after=2))
        found = store.undone_like("g", "same")
        assert found is not None and (found.seq, found.undone) == (4, True)
        assert store.undone_like("g", "base 5") is None


class TestDue:
    def test_games_that_want_to_be_looked_at(self, store: Games) -> None:
        for game, due in (("late", 10), ("later", 20), ("latest", 30), ("never", None)):
            create(store, game, due=due)
        assert store.due(9, 9) == []
        assert store.due(20, 9) == ["late", "later"] and store.due(99, 1) == ["late"]
        store.append(appended(1, "late", due=None))
        assert store.due(99, 9) == ["later", "latest"]

    def test_settled_only_as_seen(self, store: Games) -> None:
        create(store, due=10)
        store.append(appended(1, due=20))
        store.settle_due("g", 1, None)
        assert store.due(99, 9) == ["g"]
        store.settle_due("g", 2, 50)
        assert store.due(49, 9) == [] and store.due(50, 9) == ["g"]
        store.settle_due("g", 2, None)
        assert store.due(99, 9) == []


class TestEpochs:
    def test_one_ends_and_the_next_begins(self, store: Games) -> None:
        create(store)
        store.append(appended(1, ended=epoch("g", 1, ended=7_000), begun=epoch("g", 2)))
        assert store.epochs("g") == [epoch("g", 1, ended=7_000), epoch("g", 2)] and store.secret("g") == epoch("g", 2)

    def test_none_is_running(self, store: Games) -> None:
        create(store)
        store.append(appended(1, ended=epoch("g", 1, ended=7_000)))
        with pytest.raises(UnknownGame):
            store.secret("g")
