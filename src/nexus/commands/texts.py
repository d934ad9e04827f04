"""What the commands of Nexus say to a person, in Russian and English."""

from __future__ import annotations

from kit.local import language_here
from nexus.contract import Grade, Language

_TEXTS: dict[str, dict[Language, str]] = {
    "resolved": {"en": "by {how}, {sure} sure", "ru": "{how}, уверенность {sure}"},
    "candidate": {"en": "by {how}", "ru": "{how}"},
    "ambiguous": {"en": "It may be one of these:", "ru": "Это может быть одно из них:"},
    "ask_more": {
        "en": "Ask with more of the name, or go on with the id.",
        "ru": "Спросите полнее или дальше пользуйтесь идентификатором.",
    },
    "not_found": {"en": "Nothing is called so.", "ru": "Ничто так не называется."},
    "similar": {"en": "Similar:", "ru": "Похоже на:"},
    "one_of_these": {
        "en": "If it is one of these: nexus add-alias ENTITY_ID NAME",
        "ru": "Если это одно из них: nexus add-alias ИДЕНТИФИКАТОР ИМЯ",
    },
    "something_new": {
        "en": "If it is something new: nexus create-entity --type TYPE --names en=NAME "
        "--names ru=ИМЯ",
        "ru": "Если это что-то новое: nexus create-entity --type ТИП --names ru=ИМЯ "
        "--names en=NAME",
    },
    "batch_ambiguous": {"en": "ambiguous: {labels}", "ru": "неоднозначно: {labels}"},
    "batch_not_found": {"en": "not found", "ru": "не найдено"},
    "and_more": {"en": " and {count} more", "ru": " и ещё {count}"},
    "passed_over": {"en": "passed over: {remark}.", "ru": "пропущено: {remark}."},
    "counts": {
        "en": "created: {created}, updated: {updated}, archived: {archived}, "
        "unchanged: {unchanged}",
        "ru": "создано: {created}, изменено: {updated}, отправлено в архив: {archived}, "
        "без изменений: {unchanged}",
    },
    "stays_archived": {
        "en": "{key} stays archived, as a person archived it; to have it back: "
        "nexus update-entity {id} --status active",
        "ru": "{key} остаётся в архиве: туда её отправил человек; чтобы вернуть: "
        "nexus update-entity {id} --status active",
    },
    "only_a_plan": {
        "en": "  (a plan; nothing is changed yet)",
        "ru": "  (это план; пока ничего не изменено)",
    },
    "more_changes": {
        "en": "… and {count} more; --json lists the first thousand",
        "ru": "… и ещё {count}; --json покажет первую тысячу",
    },
    "apply?": {"en": "Apply this? [y/N]", "ru": "Применить это? [д/Н]"},
    "left_out": {
        "en": "left out: {key} {predicate} {far}, which is not exported",
        "ru": "пропущено: {key} {predicate} {far} — этого нет в выгрузке",
    },
    "seen": {"en": "{source}: {count} found", "ru": "{source}: найдено {count}"},
    "proposed": {
        "en": ", proposed: {proposed}, known: {known}, pending: {pending}, rejected: {rejected}",
        "ru": ", предложено: {proposed}, известно: {known}, ждут ответа: {pending}, "
        "отклонено: {rejected}",
    },
    "answer": {
        "en": "`nexus list-proposals` shows them; accept-proposal and reject-proposal answer.",
        "ru": "Их покажет `nexus list-proposals`; ответить можно accept-proposal и "
        "reject-proposal.",
    },
    "say_under": {
        "en": "git: repositories are looked for with --under FOLDER.",
        "ru": "git: репозитории ищутся с --under ПАПКА.",
    },
}
_MATCHED: dict[Grade, dict[Language, str]] = {
    "id": {"en": "its id", "ru": "по идентификатору"},
    "external": {"en": "its id in another system", "ru": "по идентификатору в другой системе"},
    "confirmed": {"en": "a name a person confirmed", "ru": "по имени, которое подтвердили"},
    "exact": {"en": "the name itself", "ru": "по самому имени"},
    "inflected": {"en": "the name, inflected", "ru": "по имени в другой форме"},
    "transliterated": {
        "en": "the name in the other alphabet",
        "ru": "по имени, записанному другим алфавитом",
    },
    "reordered": {
        "en": "the name, its words in another order",
        "ru": "по имени с другим порядком слов",
    },
    "focus": {"en": "what is talked about", "ru": "по тому, о чём речь"},
    "partial": {"en": "a part of the name", "ru": "по части имени"},
    "acronym": {"en": "the initials of the name", "ru": "по первым буквам имени"},
    "layout": {
        "en": "the name in the other keyboard layout",
        "ru": "по имени в другой раскладке",
    },
    "sound": {"en": "a name that sounds so", "ru": "по имени, которое так звучит"},
    "typo": {"en": "the name but for a typing error", "ru": "по имени с опечаткой"},
}
YES = frozenset({"y", "yes", "д", "да"})


def say(name: str, **values: object) -> str:
    """One text in the person's language."""
    return _TEXTS[name][language_here()].format(**values)


def matched(grade: Grade) -> str:
    """By which rule a name matched, in words."""
    said = _MATCHED.get(grade)  # a newer Nexus may know further rules
    return said[language_here()] if said else grade
