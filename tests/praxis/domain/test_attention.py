"""The order of attention: total, explained, and the same at any time of day."""

from datetime import UTC, datetime

from msgspec.structs import replace

from praxis.contract import Attention
from praxis.domain.attention import because, is_listed, rank
from praxis.domain.item import Facts

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FIRING = Facts(
    operational="active", state="problem", severity="error", episodes=1, first_seen=NOON, count=1
)


def place(facts: Facts, attention: Attention = "new", *, stale: bool = False) -> int:
    return rank(facts, attention, stale=stale)


def test_the_graver_stands_first_and_what_was_acknowledged_below_all_that_is_new() -> None:
    critical = replace(FIRING, severity="critical")
    info = replace(FIRING, severity="info")

    assert place(critical) < place(FIRING) < place(info) < place(critical, "acknowledged")


def test_of_equals_the_vain_remedy_then_who_waits_then_the_rest_then_what_is_being_seen_to() -> (
    None
):
    vain = replace(FIRING, awaiting="exe_1", lapsed_at=NOON)
    waiting = replace(FIRING, state="waiting")
    seen_to = replace(FIRING, awaiting="exe_1")

    assert place(vain) < place(waiting) < place(FIRING) < place(seen_to)
    assert place(FIRING) < place(FIRING, stale=True)


def test_every_place_is_explained() -> None:
    vain = replace(FIRING, severity="warning", awaiting="exe_1", lapsed_at=NOON, episodes=2)

    assert because(vain, "new", stale=True) == [
        "severity:error",
        "not_recovered",
        "stale",
        "reopened",
        "new",
    ]
    assert because(replace(FIRING, awaiting="exe_1"), "acknowledged", stale=False) == [
        "severity:error",
        "awaiting_recovery",
        "acknowledged",
    ]


def test_what_was_resolved_is_listed_only_while_a_remedy_waits_to_be_seen() -> None:
    assert not is_listed(FIRING, "resolved")
    assert is_listed(replace(FIRING, awaiting="exe_1"), "resolved")
    assert not is_listed(replace(FIRING, operational="recovered"), "new")
