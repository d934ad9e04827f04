"""What the commands of Praxis say to a person, in Russian and English."""

from __future__ import annotations

from datetime import datetime, timedelta

from kit.local import Language, language_here
from praxis.contract import Freshness, RoutineStanding, Severity, What

_TEXTS: dict[str, dict[Language, str]] = {
    "nothing": {"en": "Nothing needs attention.", "ru": "Ничто не требует внимания."},
    "sources": {
        "en": "Sources: {fresh} fresh, {stale} silent, {never} never heard.",
        "ru": "Источники: свежих {fresh}, молчащих {stale}, ни разу не слышных {never}.",
    },
    "no_sources": {
        "en": "No source is registered, so nothing can be known.",
        "ru": "Ни один источник не зарегистрирован, так что знать неоткуда.",
    },
    "silent": {
        "en": "Silent, so nothing newer is known of them: {names}.",
        "ru": "Молчат, и нового о них ничего не известно: {names}.",
    },
    "since": {"en": "for {age}", "ru": "уже {age}"},
    "times": {"en": "{count}×", "ru": "{count}×"},
    "alike": {"en": "and {count} more of the same cause", "ru": "и ещё {count} по той же причине"},
    "aside": {"en": "Set aside, and going on:", "ru": "Отложено, но продолжается:"},
    "aside_resolved": {"en": "called resolved", "ru": "названо решённым"},
    "aside_until": {"en": "ignored until {until}", "ru": "игнорируется до {until}"},
    "aside_worse": {"en": "ignored until it gets worse", "ru": "игнорируется, пока не станет хуже"},
    "aside_change": {"en": "ignored until it changes", "ru": "игнорируется до изменения"},
    "more": {"en": "{count} more; ask with --limit.", "ru": "Ещё {count}; добавьте --limit."},
    "watching": {
        "en": "Watching; Ctrl-C ends it.",
        "ru": "Наблюдаю; Ctrl-C завершает.",
    },
    "lost": {
        "en": "Praxis does not answer; nothing is known until it does.",
        "ru": "Праксис не отвечает; пока он молчит, ничего не известно.",
    },
    "back": {"en": "Praxis answers again.", "ru": "Праксис снова отвечает."},
    "job_ok": {"en": "{name}: done in {took}", "ru": "{name}: выполнено за {took}"},
    "job_failed": {
        "en": "{name}: exit status {status} after {took}",
        "ru": "{name}: код выхода {status} через {took}",
    },
    "job_killed": {
        "en": "{name}: ended by signal {status} after {took}",
        "ru": "{name}: прервано сигналом {status} через {took}",
    },
    "job_started": {"en": "{name}: started", "ru": "{name}: начато"},
    "job_unstartable": {
        "en": "{name}: could not be started: {why}",
        "ru": "{name}: не удалось запустить: {why}",
    },
    "ping_ok": {"en": "{name}: done", "ru": "{name}: выполнено"},
    "ping_start": {"en": "{name}: started", "ru": "{name}: начато"},
    "ping_fail": {"en": "{name}: failed", "ru": "{name}: не удалось"},
    "ping_log": {"en": "{name}: says", "ru": "{name}: сообщает"},
    "untold": {
        "en": "Praxis could not be told: {why}",
        "ru": "Сообщить Праксису не удалось: {why}",
    },
}
_SEVERITIES: dict[Severity, dict[Language, str]] = {
    "critical": {"en": "CRITICAL", "ru": "КРИТИЧНО"},
    "error": {"en": "error", "ru": "ошибка"},
    "warning": {"en": "warning", "ru": "внимание"},
    "info": {"en": "info", "ru": "сведение"},
}
_REASONS: dict[str, dict[Language, str]] = {
    "pinned": {"en": "pinned", "ru": "закреплено"},
    "not_recovered": {"en": "not recovered after an action", "ru": "не восстановилось"},
    "awaiting_recovery": {"en": "awaiting recovery", "ru": "ждём восстановления"},
    "waiting": {"en": "waits for an answer", "ru": "ждёт ответа"},
    "flapping": {"en": "flapping", "ru": "мерцает"},
    "stale": {"en": "its source is silent", "ru": "источник молчит"},
    "reopened": {"en": "came back", "ru": "вернулось"},
    "surfaced": {"en": "shown", "ru": "показано"},
    "acknowledged": {"en": "acknowledged", "ru": "принято к сведению"},
}
_HAPPENED: dict[What, dict[Language, str]] = {
    "item_opened": {"en": "new", "ru": "новое"},
    "item_worsened": {"en": "worse", "ru": "хуже"},
    "item_recovered": {"en": "recovered", "ru": "восстановилось"},
    "item_reopened": {"en": "back", "ru": "вернулось"},
    "item_surfaced": {"en": "shown", "ru": "показано"},
    "item_acknowledged": {"en": "acknowledged", "ru": "принято"},
    "item_unacknowledged": {"en": "not acknowledged", "ru": "снова не принято"},
    "item_resolved": {"en": "resolved", "ru": "решено"},
    "item_ignored": {"en": "ignored", "ru": "игнорируется"},
    "item_unignored": {"en": "no longer ignored", "ru": "больше не игнорируется"},
    "item_pinned": {"en": "pinned", "ru": "закреплено"},
    "item_unpinned": {"en": "unpinned", "ru": "откреплено"},
    "item_flapping": {"en": "flapping", "ru": "мерцает"},
    "item_mapped": {"en": "known by name", "ru": "опознано"},
    "item_awaiting_recovery": {"en": "awaiting recovery", "ru": "ждём восстановления"},
    "item_not_recovered": {"en": "not recovered", "ru": "не восстановилось"},
    "execution_reported": {"en": "action", "ru": "действие"},
    "instance_changed": {"en": "started anew", "ru": "перезапущено"},
    "source_stale": {"en": "silent", "ru": "молчит"},
    "source_fresh": {"en": "heard again", "ru": "снова слышно"},
}
_STANDINGS: dict[RoutineStanding, dict[Language, str]] = {
    "new": {"en": "not run yet", "ru": "ещё не было"},
    "up": {"en": "in time", "ru": "вовремя"},
    "started": {"en": "under way", "ru": "идёт"},
    "grace": {"en": "due", "ru": "пора"},
    "late": {"en": "NOT COMPLETED", "ru": "НЕ ВЫПОЛНЕНО"},
    "failed": {"en": "FAILED", "ru": "НЕ УДАЛОСЬ"},
}
_FRESHNESS: dict[Freshness, dict[Language, str]] = {
    "fresh": {"en": "fresh", "ru": "свежо"},
    "stale": {"en": "silent", "ru": "молчит"},
    "never": {"en": "never heard", "ru": "не слышно"},
}
_UNITS: dict[Language, tuple[str, str, str, str]] = {
    "en": ("s", "min", "h", "d"),
    "ru": ("с", "мин", "ч", "д"),
}


def say(text: str, /, **values: object) -> str:
    """One text in the person's language."""
    return _TEXTS[text][language_here()].format(**values)


def severity(word: Severity) -> str:
    """A severity in words."""
    return _SEVERITIES[word][language_here()]


def reason(word: str) -> str:
    """Why an item stands where it does; empty for what its severity says already."""
    said = _REASONS.get(word)
    return said[language_here()] if said else ""


def happened(what: What) -> str:
    """A step of the feed in words; a newer Praxis may know further ones."""
    said = _HAPPENED.get(what)
    return said[language_here()] if said else what


def standing(word: RoutineStanding) -> str:
    """How a routine stands, in words."""
    return _STANDINGS[word][language_here()]


def freshness(word: Freshness) -> str:
    """How fresh a source is, in words."""
    return _FRESHNESS[word][language_here()]


def span(length: timedelta) -> str:
    """A length of time in its largest unit: `5 min`, `3 d`."""
    seconds = max(0, int(length.total_seconds()))
    units = _UNITS[language_here()]
    for size, unit in ((86400, units[3]), (3600, units[2]), (60, units[1])):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} {units[0]}"


def at(moment: datetime) -> str:
    """A moment in the person's own zone, to the minute."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")
