"""Structured logging, configured once: one JSON object a line, bound to the call, redacted."""

from __future__ import annotations

import logging
import sys
from typing import Any

import msgspec
import structlog
from structlog.typing import EventDict, WrappedLogger

from kit import redact
from kit.errors import InvalidArgument
from kit.trace import current_call


def configure(service: str, level: str = "info") -> None:
    """Send every log of this process, ours and libraries', through one pipeline to stderr.

    Raises:
        InvalidArgument: There is no such level.
    """
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            _bind(service),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _tell_exception,
            _redact,
            structlog.processors.JSONRenderer(serializer=_to_json),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_number_of(level)),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers[:] = [_Bridge()]
    root.setLevel(logging.WARNING)


def _number_of(level: str) -> int:
    numbers = logging.getLevelNamesMapping()
    if level.upper() not in numbers:
        raise InvalidArgument(
            f"{level!r} is not a level; write debug, info, warning or error.", field="log_level"
        )
    return numbers[level.upper()]


class _Bridge(logging.Handler):
    """Hands a library's log record to structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        logger = structlog.get_logger()
        logger.log(
            record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info
        )


def _bind(service: str) -> structlog.typing.Processor:
    def bind(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        event["service"] = service
        call = current_call()
        if call is not None:
            event.setdefault("correlation_id", call.correlation_id)
            event.setdefault("requester", call.requester)
        return event

    return bind


def _tell_exception(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    return structlog.processors.format_exc_info(logger, name, event)


def _redact(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    trace = event.pop("exception", None)
    shown: EventDict = redact.bounded(event)
    if trace is not None:
        shown["exception"] = redact.text(trace, 8000)
    return shown


def _to_json(event: Any, **_: Any) -> str:
    return msgspec.json.encode(event, enc_hook=repr).decode()
