#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""std_headers.py ROOT: check that each source includes the standard headers that it uses.

Standard headers include others, and which ones depends on the library: g++ 14's includes fewer than g++ 12's, so a
missing header shows only on another release. A file may rely on what the project's headers that it includes
include. Prints a line for each missing header, and exits with 1 if there is any. Knows only the names below.
"""
import pathlib
import re
import sys

# header: the names that need it, as a regular expression after std::
NAMES = {
    "algorithm": r"(?:ranges::)?(?:sort|stable_sort|find|find_if|any_of|all_of|none_of|count|count_if|copy|copy_n|fill"
                 r"|equal|reverse|rotate|transform|unique|remove_if|lower_bound|upper_bound|nth_element|min_element"
                 r"|max_element|min|max|clamp|replace|is_sorted)\(",
    "array": r"array\b",
    "cctype": r"(?:isalnum|isalpha|isdigit|isspace|tolower|toupper)\(",
    "charconv": r"(?:from_chars|to_chars)\(",
    "chrono": r"chrono::",
    "cstdint": r"u?int(?:8|16|32|64|max|ptr)_t\b",
    "cstdio": r"(?:FILE\b|f?printf\(|snprintf\(|fopen\(|fflush\()",
    "cstdlib": r"(?:getenv|system|exit|abort|strtol|strtod)\(",
    "cstring": r"(?:memcpy|memset|memcmp|strlen|strcmp)\(",
    "filesystem": r"filesystem::",
    "fstream": r"[io]?fstream\b",
    "functional": r"function<",
    "limits": r"numeric_limits\b",
    "map": r"map<",
    "memory": r"(?:unique_ptr|shared_ptr|make_unique|make_shared)\b",
    "mutex": r"(?:mutex|lock_guard|unique_lock)\b",
    "numeric": r"(?:accumulate|iota|reduce|gcd|lcm|inner_product)\(",
    "optional": r"optional\b",
    "set": r"set<",
    "span": r"span<",
    "sstream": r"[io]?stringstream\b",
    "stdexcept": r"(?:runtime_error|logic_error|invalid_argument)\b",
    "string": r"(?:string\b|to_string\()",
    "thread": r"thread\b",
    "tuple": r"(?:tuple<|tie\()",
    "variant": r"(?:variant<|visit\(|get_if<|holds_alternative<)",
    "vector": r"vector\b",
}
# Names that several headers have.
ALSO = {"limits": ["cfloat"], "cstdint": ["stdint.h"], "algorithm": ["cstring"]}


class Tree:
    def __init__(self, root: pathlib.Path):
        self.texts = {path.relative_to(root): path.read_text() for folder in ["lib", "app", "tests"]
                      for path in sorted((root / folder).rglob("*.[ch]pp"))}
        self.known: dict[pathlib.PurePath, set[str]] = {}

    def find(self, source: pathlib.PurePath, header: str):
        """Search the build's include folders: next to the source, lib, tests, app."""
        for folder in [source.parent, "lib", "tests", "app", "tests/fuzz"]:
            if (path := pathlib.PurePath(folder, header)) in self.texts:
                return path
        return None

    def headers(self, source: pathlib.PurePath) -> set[str]:
        if source not in self.known:
            self.known[source] = set()  # ends the recursion of cyclic includes
            text = self.texts[source]
            found = set(re.findall(r"^#include <([^>]+)>", text, re.M))
            for quoted in re.findall(r'^#include "([^"]+)"', text, re.M):
                if path := self.find(source, quoted):
                    found |= self.headers(path)
            self.known[source] = found
        return self.known[source]


def main() -> int:
    tree = Tree(pathlib.Path(sys.argv[1]))
    missing = 0
    for source, text in tree.texts.items():
        code = re.sub(r"//[^\n]*", "", text)
        for header, names in NAMES.items():
            use = re.search(r"\bstd::" + names, code)
            if use and not tree.headers(source) & {header, *ALSO.get(header, [])}:
                line = code.count("\n", 0, use.start()) + 1
                print(f"{source}:{line}: {use.group().rstrip('(<')} needs #include <{header}>")
                missing += 1
    return missing > 0


sys.exit(main())
