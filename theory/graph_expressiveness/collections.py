"""Collections of graphs from files: the public formats are read, nothing in them is ever executed.

Looked for in the folder that LEMMASCOPE_DATA names: `ind.NAME.graph` (the citation graphs: a pickled mapping of lists,
read opcode by opcode), `NAME.edges` (two numbers per line), or `NAME_A.txt` with `NAME_graph_indicator.txt` (many
graphs at once), the latter also in a subfolder NAME. Two small collections come with the package.
"""

from __future__ import annotations

import os
import pickletools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from theory.errors import LemmascopeError
from theory.graph_expressiveness.graphs import Graph

BUNDLED = ("bundled_club", "bundled_small")
_VARIABLE = "LEMMASCOPE_DATA"
_HERE = Path(__file__).parent / "bundled"


def absent(name: str) -> str:
    """Empty when the collection can be read, otherwise a sentence that says what to do.

    >>> absent("bundled_club")
    ''
    """
    if _files(name):
        return ""
    return (
        f"the graphs of {name} are not here: put ind.{name}.graph, {name}.edges or {name}_A.txt with"
        f" {name}_graph_indicator.txt into a folder, set {_VARIABLE} to it, and verify again with --fresh"
    )


def load_graphs(name: str) -> list[Graph]:
    """The graphs of a collection, without features; repeated edges count once, and a self-loop stays.

    A node with a self-loop is its own neighbour, once: the counts of Table 2.1 are those of the files as they are.

    >>> [graph.order for graph in load_graphs("bundled_club")]
    [34]
    """
    files = _files(name)
    if not files:
        raise LemmascopeError(absent(name))
    if files[0].name.startswith("ind."):
        return [_from_lists(_read_mapping(files[0].read_bytes(), files[0]))]
    if files[0].suffix == ".edges":
        return [_from_edges(_pairs(files[0]))]
    return _from_indicator(_pairs(files[0]), _numbers(files[1]))


def _files(name: str) -> list[Path]:
    if name in BUNDLED:
        folders = [_HERE]
    else:
        given = os.environ.get(_VARIABLE)
        folders = [Path(given), Path(given) / name] if given else []
    for folder in folders:
        for names in ([f"ind.{name}.graph"], [f"{name}.edges"], [f"{name}_A.txt", f"{name}_graph_indicator.txt"]):
            paths = [folder / part for part in names]
            if all(path.is_file() for path in paths):
                return paths
    return []


def _numbers(path: Path) -> list[int]:
    try:
        return [int(word) for word in path.read_text(encoding="utf-8").replace(",", " ").split()]
    except ValueError as error:
        raise LemmascopeError(f"{path.name} is damaged: it should hold whole numbers only ({error})") from error


def _pairs(path: Path) -> list[tuple[int, int]]:
    numbers = _numbers(path)
    if len(numbers) % 2:
        raise LemmascopeError(f"{path.name} is damaged: every line should hold two node numbers")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _from_edges(edges: Iterable[tuple[int, int]]) -> Graph:
    edges = list(edges)
    place = {node: i for i, node in enumerate(sorted({node for edge in edges for node in edge}))}
    return Graph.of(len(place), [(place[i], place[j]) for i, j in edges])


def _from_lists(lists: dict[int, list[int]]) -> Graph:
    nodes = sorted({*lists, *[near for part in lists.values() for near in part]})
    place = {node: i for i, node in enumerate(nodes)}
    return Graph.of(len(nodes), [(place[i], place[j]) for i, part in lists.items() for j in part])


def _from_indicator(edges: list[tuple[int, int]], indicator: list[int]) -> list[Graph]:
    first: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for node, number in enumerate(indicator, start=1):
        first.setdefault(number, node)
        sizes[number] = sizes.get(number, 0) + 1
    inside: dict[int, list[tuple[int, int]]] = {number: [] for number in sizes}
    for i, j in edges:
        number = indicator[i - 1]
        inside[number].append((i - first[number], j - first[number]))
    return [Graph.of(sizes[number], inside[number]) for number in sizes]


_MARK = object()


class _Mapping:
    """Follows the opcodes of a pickled mapping from integers to lists of integers; refuses everything else."""

    def __init__(self, source: Path) -> None:
        self.source, self.stack, self.memo = source, list[Any](), dict[int, Any]()

    def since_mark(self) -> list[Any]:
        place = len(self.stack) - 1 - self.stack[::-1].index(_MARK)
        items = self.stack[place + 1 :]
        del self.stack[place:]
        return items

    def push(self, name: str, argument: Any) -> bool:
        """Opcodes that only put something on the stack."""
        if name in ("INT", "LONG", "BININT", "BININT1", "BININT2", "LONG1"):
            self.stack.append(int(argument))
        elif name in ("EMPTY_LIST", "LIST"):
            self.stack.append(self.since_mark() if name == "LIST" else [])
        elif name in ("EMPTY_DICT", "DICT"):
            items = self.since_mark() if name == "DICT" else []
            self.stack.append(dict(zip(items[::2], items[1::2], strict=True)))
        elif name in ("GLOBAL", "SHORT_BINUNICODE", "BINUNICODE"):
            self.stack.append(str(argument))
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            self.stack.append(self.memo[int(argument)])
        elif name == "MARK":
            self.stack.append(_MARK)
        else:
            return False
        return True

    def change(self, name: str, argument: Any) -> bool:
        """Opcodes that work on what is on the stack; the only callable that is understood is an empty defaultdict."""
        if name in ("PUT", "BINPUT", "LONG_BINPUT"):
            self.memo[int(argument)] = self.stack[-1]
        elif name == "MEMOIZE":
            self.memo[len(self.memo)] = self.stack[-1]
        elif name == "APPEND":
            item = self.stack.pop()
            self.stack[-1].append(item)
        elif name == "APPENDS":
            items = self.since_mark()
            self.stack[-1].extend(items)
        elif name in ("SETITEM", "SETITEMS"):
            items = self.since_mark() if name == "SETITEMS" else [self.stack.pop(-2), self.stack.pop()]
            self.stack[-1].update(zip(items[::2], items[1::2], strict=True))
        elif name in ("TUPLE", "TUPLE1"):
            items = self.since_mark() if name == "TUPLE" else [self.stack.pop()]
            self.stack.append(tuple(items))
        elif name == "STACK_GLOBAL":
            attribute, module = self.stack.pop(), self.stack.pop()
            self.stack.append(f"{module} {attribute}")
        elif name == "REDUCE" and self.stack[-2] == "collections defaultdict":
            del self.stack[-2:]
            self.stack.append({})
        else:
            return name in ("PROTO", "FRAME", "STOP")
        return True


def _read_mapping(data: bytes, source: Path) -> dict[int, list[int]]:
    reader = _Mapping(source)
    try:
        for opcode, argument, _ in pickletools.genops(data):
            if not (reader.push(opcode.name, argument) or reader.change(opcode.name, argument)):
                raise LemmascopeError(f"{source.name} holds more than lists of numbers ({opcode.name}): it is not read")
        (mapping,) = reader.stack
        return {int(node): [int(near) for near in part] for node, part in mapping.items()}
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise LemmascopeError(f"{source.name} is damaged: it should be a mapping of lists ({error})") from error
