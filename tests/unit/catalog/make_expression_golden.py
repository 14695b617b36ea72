#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write expression_golden.inc: random expressions with the results that Python gives.

Whole numbers and decimals become fractions first, because `/` is exact in the workbench. Cases whose
parts leave 64 bits, or on which Python falls back to floating point, are left out.
Run by hand after a change of the grammar: python3 make_expression_golden.py > expression_golden.inc
"""
import ast
import random
from fractions import Fraction

NAMES = {"N": 512, "M": 1000, "TILE": 16, "device.cores": 7, "odd": -3}


class Device:
    cores = Fraction(7)


def ceil_div(a, b):
    return -(-a // b)


def round_up(x, multiple):
    if multiple <= 0:
        raise ValueError("refused by the workbench")
    return ceil_div(x, multiple) * multiple


def log2(x):
    for exponent in range(-62, 63):
        if x == Fraction(2) ** exponent:
            return Fraction(exponent)
    raise ValueError("no power of two")


SCOPE = {name: Fraction(value) for name, value in NAMES.items()}
SCOPE |= {"device": Device, "Fraction": Fraction, "ceil_div": ceil_div, "round_up": round_up, "log2": log2}


class Exact(ast.NodeTransformer):
    def visit_Constant(self, node):
        if isinstance(node.value, (bool, str)):
            return node
        return ast.parse(f"Fraction('{node.value}')", mode="eval").body


def evaluate(text_or_node):
    if isinstance(text_or_node, str):
        node = ast.parse(text_or_node, mode="eval").body
    else:
        node = text_or_node
    exact = ast.Expression(Exact().visit(ast.parse(ast.unparse(node), mode="eval").body))
    return eval(compile(ast.fix_missing_locations(exact), "", "eval"), dict(SCOPE))


def fits(value):
    if isinstance(value, float) or isinstance(value, complex):
        return False
    if isinstance(value, (bool, str)):
        return True
    if isinstance(value, list):
        return all(fits(item) for item in value)
    value = Fraction(value)
    return -(2**63) < value.numerator < 2**63 and value.denominator < 2**63


def show(value):
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "[" + ", ".join(show(item) for item in value) + "]"
    return str(value)


def expression(rng, depth):
    """A random expression, written with and without parentheses and blanks."""
    if depth == 0 or rng.random() < 0.12:
        return rng.choice(
            [str(rng.randint(0, 9)), str(rng.randint(0, 300)), hex(rng.randint(0, 255)), rng.choice(list(NAMES)),
             "1.5", "0.25", ".5", "2e2", rng.choice(["True", "False"]), rng.choice(list(NAMES))])
    def sub():
        return expression(rng, depth - 1)
    kind = rng.randrange(13)
    blank = rng.choice(["", " "])
    if kind < 5:
        op = rng.choice(["+", "-", "*", "/", "//", "%", "+", "-", "*"])
        return f"{sub()}{blank}{op}{blank}{sub()}"
    if kind == 5:
        return f"{sub()}**{rng.choice(['2', '3', '-1', '-2', '0', sub()])}"
    if kind == 6:
        return f"{rng.choice('+-')}{sub()}"
    if kind == 7:
        return f"({sub()})"
    if kind == 8:
        ops = [rng.choice(["<", "<=", ">", ">=", "==", "!="]) for _ in range(rng.randint(1, 3))]
        return sub() + "".join(f" {op} {sub()}" for op in ops)
    if kind == 9:
        return f"{sub()} {rng.choice(['and', 'or'])} {sub()}"
    if kind == 10:
        return f"(not {sub()})"
    if kind == 11:
        items = ", ".join(sub() for _ in range(rng.randint(1, 3)))
        return f"{sub()} {rng.choice(['in', 'not in'])} [{items}]"
    name = rng.choice(["min", "max", "abs", "round_up", "ceil_div", "log2"])
    count = {"min": 2, "max": 3, "abs": 1, "log2": 1}.get(name, 2)
    return f"{name}({', '.join(sub() for _ in range(count))})"


def main():
    rng = random.Random(20240611)
    seen = set()
    while len(seen) < 400:
        text = expression(rng, rng.randint(1, 4))
        if text in seen or not 6 < len(text) < 90:
            continue
        try:
            tree = ast.parse(text, mode="eval")
            value = evaluate(text)
            parts = [node for node in ast.walk(tree) if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Call))]
            if not fits(value) or not all(fits(evaluate(part)) for part in parts):
                continue
        except (ArithmeticError, ValueError, TypeError, SyntaxError):
            continue
        seen.add(text)
        print(f'{{R"({text})", R"({show(value)})"}},')


main()
