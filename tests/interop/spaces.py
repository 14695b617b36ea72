# SPDX-License-Identifier: Apache-2.0
"""Random spaces as T1 files, with all that restrictions of Kernel Tuner are made of."""

import math
import random

VALUES = ["[1, 2, 4, 8, 16, 32]", "[2**i for i in range(5)]", "[i for i in range(1, 9)]", "[8*i for i in range(1, 7)]",
          "list(range(1, 20, 3))", "[1, 2] + list(range(16, 65, 16))", "[i for i in range(1, 13) if i % 3 != 1]"]
MOST_COMBINATIONS = 4000
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


class Writer:
    """Writes expressions over parameters that are all above 0."""

    def __init__(self, dice: random.Random, names: list[str]):
        self.dice = dice
        self.names = names

    def number(self, depth: int) -> str:
        kind = self.dice.randrange(10 if depth > 0 else 4)
        if kind < 3:
            return self.dice.choice(self.names)
        if kind < 4:
            return str(self.dice.choice([1, 2, 3, 4, 8, 16, 24, 64]))
        a, b = self.number(depth - 1), self.number(depth - 1)
        # Divisors are above 0, and no power overflows.
        if kind < 5:
            return f"({a}) {self.dice.choice(['%', '//'])} {self.dice.choice(self.names)}"
        if kind < 6:
            return f"{self.dice.choice(self.names)} ** 2"
        if kind < 7:
            return f"{self.dice.choice(['min', 'max'])}({a}, {b})"
        if kind < 8:
            return f"-({a})" if self.dice.random() < 0.3 else f"abs({a} - {b})"
        return f"({a} {self.dice.choice('+-*')} {b})"

    def condition(self, depth: int) -> str:
        kind = self.dice.randrange(10 if depth > 0 else 6)
        if kind < 2:
            return f"{self.number(2)} {self.dice.choice(COMPARISONS)} {self.number(1)}"
        if kind < 3:  # a chain
            return (f"{self.number(1)} {self.dice.choice(['<', '<='])} {self.number(2)} "
                    f"{self.dice.choice(COMPARISONS)} {self.number(1)}")
        if kind < 4:
            values = ", ".join(self.number(0) for _ in range(4))
            listed = f"[{values}]" if self.dice.random() < 0.5 else f"({values})"
            return f"{self.number(1)} {self.dice.choice(['in', 'not in'])} {listed}"
        if kind < 5:
            return f"{self.dice.choice(self.names)} % {self.dice.choice(self.names)} == 0"
        if kind < 6:
            a, b = self.dice.sample(self.names, 2)
            return f"{a} / {b} {self.dice.choice(['<', '>='])} {self.dice.choice(['1', '1.5', '2', '0.25'])}"
        if kind < 7:
            return f"not ({self.condition(depth - 1)})"
        joined = f" {self.dice.choice(['and', 'or'])} ".join(self.condition(depth - 1) for _ in range(2))
        return f"({joined})" if self.dice.random() < 0.6 else joined


def random_t1_files(count: int, seed: int) -> list[dict]:
    """Each leaves some, but not all combinations."""
    dice = random.Random(seed)
    files = []
    while len(files) < count:
        names = dice.sample(["block_size_x", "tile", "VW", "unroll_factor", "_pad", "K2"], dice.randint(2, 5))
        params = {name: dice.choice(VALUES) for name in names}
        writer = Writer(dice, names)
        conditions = [writer.condition(2) for _ in range(dice.randint(1, 3))]
        lists = {name: eval(values) for name, values in params.items()}
        if math.prod(map(len, lists.values())) > MOST_COMBINATIONS:
            continue
        kept = sum(all(eval(condition, dict(configuration)) for condition in conditions)
                   for configuration in product(lists))
        total = sum(1 for _ in product(lists))
        if not 0 < kept < total:
            continue
        files.append({
            "ConfigurationSpace": {
                "TuningParameters": [{"Name": name, "Type": "int", "Values": values}
                                     for name, values in params.items()],
                "Conditions": [{"Parameters": [name for name in names if name in condition],
                                "Expression": condition} for condition in conditions],
            },
            "KernelSpecification": {"Language": "OpenCL", "KernelName": "copy", "KernelFile": "copy.cl",
                                    "LocalSize": {"X": "1"}, "GlobalSize": {"X": "1000"}, "ProblemSize": 1000,
                                    "GridDivX": ["1"]},
        })
    return files


def product(lists: dict[str, list[int]]):
    """All combinations, as dicts."""
    combinations = [{}]
    for name, values in lists.items():
        combinations = [combination | {name: value} for combination in combinations for value in values]
    return combinations
