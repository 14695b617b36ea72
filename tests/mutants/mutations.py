# SPDX-License-Identifier: Apache-2.0
"""Small faults as programmers make them, injected into a kernel's source.

A mutation is (what, start, end, text): characters start..end of the source become `text`. Comments, front
matter, preprocessor lines and the declarations of arguments stay as they are. Source of the idea: R. A.
DeMillo, R. J. Lipton, F. G. Sayward, "Hints on Test Data Selection", 1978.
"""

import itertools
import random
import re
from collections import Counter
from typing import Iterator, NamedTuple


class Mutation(NamedTuple):
    what: str
    start: int
    end: int
    text: str


class Mutant(NamedTuple):
    kernel: str  # path of the kernel that it was made of
    what: list[str]
    source: str


def blank(source: str, pattern: str, flags: int = 0) -> str:
    """Replace all matches by spaces, so that offsets stay valid."""
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m.group()), source, flags=flags)


def code_of(source: str) -> str:
    """The source with spaces instead of everything that must not be mutated."""
    code = blank(source, r"/\*.*?\*/", re.S)
    code = blank(code, r"//[^\n]*")
    code = blank(code, r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
    return blank(code, r"__kernel\b[^{]*\{", re.S)


def replacing(code: str, what: str, pattern: str, *texts: str) -> Iterator[Mutation]:
    """Replace each match by each of `texts` (templates as in re.sub)."""
    for match in re.finditer(pattern, code, re.S):
        for template in texts:
            yield Mutation(what, match.start(), match.end(), match.expand(template))


def closing(code: str, opening: int) -> int:
    """Offset of the bracket that closes the one at `opening`; the end of the code if it is never closed."""
    depth = 0
    for at in range(opening, len(code)):
        if code[at] in "([{":
            depth += 1
        elif code[at] in ")]}":
            depth -= 1
            if depth == 0:
                return at
    return len(code)


def indices(code: str) -> Iterator[Mutation]:
    """a[i] → a[i + 1], a[i - 1], except in declarations."""
    for match in re.finditer(r"\[", code):
        end = closing(code, match.start())
        line = code[code.rfind("\n", 0, match.start()) + 1 : match.start()]
        if re.search(r"\b(?:float|int)\s+\w+(?:\[\w*\])*$", line):
            continue
        for shift in (" + 1", " - 1"):
            yield Mutation("shift an index", end, end, shift)


def guards(code: str) -> Iterator[Mutation]:
    """if (a && b) → if (1), if (a), if (b); `if (…) return;` → nothing; c ? x : 0 → x."""
    for match in re.finditer(r"\bif\s*\(", code):
        opening = match.end() - 1
        end = closing(code, opening)
        condition = code[opening + 1 : end]
        leaves = re.match(r"\s*return\s*;", code[end + 1 :])
        if leaves:
            yield Mutation("drop a guard", match.start(), end + 1 + leaves.end(), ";")
        else:
            yield Mutation("drop a guard", opening + 1, end, "1")
        yield from weakened(condition, opening + 1)
    for match in re.finditer(r"=\s*\(", code):
        end = closing(code, match.end() - 1)
        if re.match(r"\s*\?", code[end + 1 :]):
            yield Mutation("drop a guard", match.end(), end, "1")
            yield from weakened(code[match.end() : end], match.end())


def weakened(condition: str, offset: int) -> Iterator[Mutation]:
    parts = re.split(r"&&|\|\|", condition)
    if len(parts) == 2:
        for part in parts:
            yield Mutation("weaken a guard", offset, offset + len(condition), part.strip())


def names(code: str, source: str) -> Iterator[Mutation]:
    """Replace the name of a number or an array by that of another one."""
    numbers = sorted(set(re.findall(r"\bint\s+(\w+)\b(?!\s*\()", source)))
    arrays = sorted(set(re.findall(r"\bfloat\s*\*\s*(?:restrict\s+)?(\w+)", source))
                    | set(re.findall(r"\bfloat\s+(\w+)\[", source)))
    for group in (numbers, arrays):
        for name, other in itertools.permutations(group, 2):
            for match in re.finditer(rf"(?<!int )(?<!float )\b{name}\b", code):
                yield Mutation("take another name", match.start(), match.end(), other)


def all_mutations(source: str) -> list[Mutation]:
    """Every single mutation of a kernel."""
    code = code_of(source)
    found = [
        *replacing(code, "delete a barrier", r"\b(?:work_group_)?barrier\s*\([^)]*\)\s*;", ";"),
        *indices(code),
        *guards(code),
        *names(code, source),
        *replacing(code, "change a comparison", r"<(?![<=])", "<=", ">"),
        *replacing(code, "change a comparison", r"(?<![<>])>=", ">", "<"),
        *replacing(code, "change a comparison", r"(?<![<>=])>(?![>=])", ">=", "<"),
        *replacing(code, "join a guard otherwise", r"&&", "||"),
        *replacing(code, "join a guard otherwise", r"\|\|", "&&"),
        *replacing(code, "change a loop's bound", r"(?<=;)(\s*\w+ < [\w.()]+)(?=\s*;)", r"\1 - 1", r"\1 + 1"),
        *replacing(code, "change a loop's start", r"(for \(\w+ \w+ = )(\w+)", r"\g<1>\2 + 1"),
        *replacing(code, "change a loop's step", r"\+\+(\w+)(?=\))", r"\1 += 2"),
        *replacing(code, "change a loop's step", r"\+= (\w+)(?=\))", r"+= \1 + 1", r"+= \1 - 1", r"+= 2 * \1"),
        *replacing(code, "change an operator", r"(?<=[\w)\]]) \+ (?=[\w(])", " - ", " * "),
        *replacing(code, "change an operator", r"(?<=[\w)\]]) - (?=[\w(])", " + "),
        *replacing(code, "change an operator", r"(?<=[\w)\]]) \* (?=[\w(])", " + ", " - "),
        *replacing(code, "change an operator", r"\+= (?=[^;]*\[)", "= ", "-= "),
        *replacing(code, "swap operands of an index", r"\[(\w+)\]\[(\w+)\](?=[^;\n]*[;)=])", r"[\2][\1]"),
        *replacing(code, "swap dimensions", r"\b(get_\w+)\(0\)", r"\1(1)", r"\1(2)"),
        *replacing(code, "swap dimensions", r"\b(get_\w+)\(1\)", r"\1(0)", r"\1(2)"),
        *replacing(code, "ask for another id", r"\bget_(?:global|local|group)_id\b",
                   "get_global_id", "get_local_id", "get_group_id"),
        *replacing(code, "change a constant", r"(?<![\w.])(\d+)(?![\w.])", r"\1 + 1"),
        *replacing(code, "change a constant", r"(?<![\w.])0\.0f\b", "1.0f"),
        *replacing(code, "drop an initialisation", r"(\bfloat\s+\w+)\s*=\s*[^;]+;", r"\1;"),
        *replacing(code, "remove local", r"\b__local ", ""),
        *replacing(code, "cast away width", r"\(size_t\)", "(uchar)"),
        *replacing(code, "delete a statement", r"(?<=\n)[ ]*[^;{}\n]*[^=!<>+*-]=(?!=)[^;{}\n]*;", ";"),
    ]
    return sorted({m for m in found if source[m.start : m.end] != m.text})


def applied(source: str, mutations: list[Mutation]) -> str:
    """Apply mutations, which must not overlap."""
    for start, end, text in sorted((m[1:] for m in mutations), reverse=True):
        source = source[:start] + text + source[end:]
    return source


def essence(source: str) -> str:
    """The identity of a mutant: its code without whitespace."""
    return re.sub(r"\s+", "", code_of(source))


def make_mutants(kernels: dict[str, str], count: int, seed: int) -> list[Mutant]:
    """`count` distinct mutants, in random order: with one fault, at most a third of them of one kind, and
    where those do not suffice, with two of different kinds. Fewer if that does not suffice either."""
    dice = random.Random(seed)
    singles = {name: all_mutations(source) for name, source in kernels.items()}
    candidates = [(name, [mutation]) for name, found in singles.items() for mutation in found]
    dice.shuffle(candidates)
    pairs = []
    for name, found in singles.items():
        for first, second in itertools.combinations(found, 2):
            apart = first.end < second.start or second.end < first.start
            if apart and first.what != second.what:
                pairs.append((name, [first, second]))
    dice.shuffle(pairs)

    seen = {essence(source) for source in kernels.values()}
    of_a_kind: Counter[str] = Counter()
    mutants: list[Mutant] = []
    for name, mutations in itertools.chain(candidates, pairs):
        if len(mutants) == count:
            break
        source = applied(kernels[name], mutations)
        if essence(source) in seen or any(of_a_kind[m.what] >= count / 3 for m in mutations):
            continue
        of_a_kind.update(m.what for m in mutations)
        seen.add(essence(source))
        mutants.append(Mutant(name, [m.what for m in mutations], source))
    return mutants
