"""Read URL-encoded parameters within bounds, each of them once."""

from __future__ import annotations

from urllib.parse import parse_qsl

from kit.errors import InvalidArgument

_MOST_PARAMETERS = 50


def parameters_of(sent: bytes) -> dict[str, str]:
    """The parameters of a query string or the fields of a form.

    Raises:
        InvalidArgument: They are not URL-encoded, too many, or one was sent twice.
    """
    try:
        pairs = parse_qsl(
            sent.decode(), keep_blank_values=True, errors="strict", max_num_fields=_MOST_PARAMETERS
        )
    except ValueError as error:
        raise InvalidArgument(
            "The parameters are not URL-encoded UTF-8, or too many.", reason="invalid_parameters"
        ) from error
    named = dict(pairs)
    if len(named) != len(pairs):
        raise InvalidArgument("A parameter was sent twice.", reason="duplicate_parameter")
    return named
