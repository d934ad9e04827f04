"""What is said about a field where it is defined: its docstring, its bounds, its default."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from typing import Any, cast

import msgspec
from msgspec import inspect as shapes

from kit.contract import Operation


def help_of(operation: Operation[Any, Any]) -> dict[str, str]:
    """One line a field of the request; empty where the contract says nothing."""
    said = said_of(operation.request)
    shape = cast("shapes.StructType", shapes.type_info(operation.request))
    return {
        field.name: " ".join(
            filter(None, [said.get(field.name, ""), _limits(field.type), _default(field)])
        )
        for field in shape.fields
    }


def said_of(kind: type[msgspec.Struct]) -> dict[str, str]:
    """What is said of each field where the struct, or one that it extends, is defined."""
    said: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if issubclass(each, msgspec.Struct) and each is not msgspec.Struct:
            said |= _said_in(each.__module__).get(each.__name__, {})
    return said


def _limits(kind: shapes.Type) -> str:
    if isinstance(kind, shapes.UnionType):
        return next((text for each in kind.types if (text := _limits(each))), "")
    if not isinstance(kind, shapes.IntType | shapes.FloatType):
        return ""
    if kind.ge is not None and kind.le is not None:
        return f"[{kind.ge} to {kind.le}]"
    return f"[{kind.ge} or more]" if kind.ge is not None else ""


def _default(field: shapes.Field) -> str:
    value = field.default
    if value in (None, msgspec.NODEFAULT, "") or not isinstance(value, str | int | float):
        return ""
    shown = ("yes" if value else "no") if isinstance(value, bool) else value
    return f"[default: {shown}]"


@cache
def _said_in(module: str) -> dict[str, dict[str, str]]:
    """Class to field to what is said of it: under the field, or else where its type is named."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    named = _named_types(tree)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "kit.contract":
            named = _named_types(ast.parse(inspect.getsource(sys.modules[node.module]))) | named
    return {node.name: _fields(node, named) for node in tree.body if isinstance(node, ast.ClassDef)}


def _named_types(tree: ast.Module) -> dict[str, str]:
    return {
        node.targets[0].id: _first_line(text)
        for node, after in zip(tree.body, tree.body[1:], strict=False)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and (text := _docstring(after))
    }


def _fields(node: ast.ClassDef, named: dict[str, str]) -> dict[str, str]:
    said: dict[str, str] = {}
    for field, after in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            names = (n.id for n in ast.walk(field.annotation) if isinstance(n, ast.Name))
            of_type = next((named[name] for name in names if name in named), "")
            said[field.target.id] = _first_line(_docstring(after)) or of_type
    return said


def _docstring(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return node.value.value if isinstance(node.value.value, str) else ""
    return ""


def _first_line(text: str) -> str:
    return " ".join(inspect.cleandoc(text).split())
