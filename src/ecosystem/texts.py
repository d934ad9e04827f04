"""What the `ecosystem` command says, in Russian and English."""

from __future__ import annotations

from kit.local import language_here

_TEXTS: dict[str, dict[str, str]] = {
    "started": {
        "en": "All parts are healthy: {parts} ({seconds:.1f} s).",
        "ru": "Все части здоровы: {parts} ({seconds:.1f} с).",
    },
    "found": {
        "en": "The ecosystem runs already; all parts are healthy: {parts}.",
        "ru": "Экосистема уже работает; все части здоровы: {parts}.",
    },
    "degraded": {"en": "  {part}: {problem}", "ru": "  {part}: {problem}"},
    "repaired": {
        "en": "Put right: {parts}.",
        "ru": "Приведено в порядок: {parts}.",
    },
    "where": {
        "en": "  state    {home}\n  sockets  {home}/run\n  logs     {home}/log\n"
        "  settings {home}/config/ecosystem.toml   restart on crash: {restart}",
        "ru": "  состояние {home}\n  сокеты    {home}/run\n  журналы   {home}/log\n"
        "  настройки {home}/config/ecosystem.toml   перезапуск при падении: {restart}",
    },
    "talk": {
        "en": 'Talk:  {maven} chat\n       {maven} ask "what needs attention?"\n'
        '       {maven} ask "что требует внимания?"\nCheck: {ecosystem} doctor\nStop:  make down',
        "ru": 'Говорить:   {maven} chat\n            {maven} ask "что требует внимания?"\n'
        '            {maven} ask "what needs attention?"\nПроверить:  {ecosystem} doctor\n'
        "Остановить: make down",
    },
    "on": {"en": "on", "ru": "включён"},
    "off": {"en": "off", "ru": "выключен"},
    "stopped": {"en": "Everything is stopped.", "ru": "Всё остановлено."},
    "nothing_ran": {"en": "Nothing was running.", "ru": "Ничего не работало."},
    "restarted": {"en": "{part} runs again.", "ru": "{part} снова работает."},
    "rotated": {
        "en": "{program} has a new secret; a running process needs "
        "`{ecosystem} restart {program}`.",
        "ru": "У {program} новый секрет; работающему процессу нужен "
        "`{ecosystem} restart {program}`.",
    },
    "rotated_command": {
        "en": "{program} has a new secret; its next call uses it.",
        "ru": "У {program} новый секрет; следующий вызов уже возьмёт его.",
    },
    "reconfigured": {
        "en": "Started anew with changed settings: {parts}.",
        "ru": "Запущено заново с новыми настройками: {parts}.",
    },
    "all_well": {"en": "Everything is in order.", "ru": "Всё в порядке."},
    "not_well": {
        "en": "{count} to put right.",
        "ru": "Нужно исправить: {count}.",
    },
}


def say(name: str, **values: object) -> str:
    """One text in the person's language."""
    return _TEXTS[name][language_here()].format(**values)


def say_in(chosen: str, name: str, **values: object) -> str:
    """One text in a given language."""
    return _TEXTS[name][chosen].format(**values)
