# SPDX-License-Identifier: Apache-2.0
"""The table of drivers in docs/drivers.md: one row for each version of each driver, written by tests/drivers/run."""

import pathlib
import re

import suite

BEGIN, END = "<!-- written by tests/drivers/run -->", "<!-- end of what tests/drivers/run wrote -->"
HEADING = ["| driver | device | kernels | faults | a kernel against itself | sandbox | "
           "what does not work, and why | tested |", "|---|---|---|---|---|---|---|---|"]


def failures_of(answer: dict) -> list[dict]:
    return [check for check in answer.get("checks", []) if check["outcome"] == suite.FAILED]


def cell(text: str) -> str:
    """A text for a table cell: one line, no bars, and at most 200 characters."""
    line = re.sub(r"\s+", " ", text).strip().replace("|", "\\|")
    return line if len(line) <= 200 else line[:199] + "…"


def share(checks: list[dict]) -> str:
    right = sum(check["outcome"] == suite.RIGHT for check in checks)
    checks = [check for check in checks if check["outcome"] != suite.NOT_ASKED]
    return f"{right} of {len(checks)}"


def against_itself(itself: dict) -> str:
    if not itself:
        return "–"
    if not itself["ci95"]:
        return f"{itself['ratio']:.3g}, no interval" if itself["ratio"] else "–"
    low, high = itself["ci95"]
    words = "no difference seen" if low <= 1 <= high else "**differs**"
    return f"{words}: {itself['ratio']:.3f} ({low:.3f} – {high:.3f})"


def complaints(checks: list[dict]) -> str:
    """The checks that are not right, grouped by reason."""
    groups: dict[tuple, list[str]] = {}
    for check in checks:
        if check["outcome"] not in (suite.RIGHT, suite.NOT_ASKED):
            # Group by the first sentence without its numbers: limits differ from kernel to kernel.
            reason = cell(check["reason"]).split(". ")[0]
            groups.setdefault((check["outcome"], check["verdict"], re.sub(r"[\d,x]+", "#", reason)), []).append(
                (check["name"], reason))
    parts = []
    for (outcome, verdict, _), members in groups.items():
        names = ", ".join(f"`{name}`" for name, _ in members)
        loud = "**failed**: " if outcome == suite.FAILED else ""
        example = " e.g." if len(members) > 1 else ""
        parts.append(f"{loud}{names}: `{verdict}`,{example} {members[0][1]}")
    unasked = sum(check["outcome"] == suite.NOT_ASKED for check in checks)
    if unasked:
        parts.append(f"{unasked} were not run, because no time was left")
    return "; ".join(parts)


def closed_by(device: dict) -> str:
    """What isolates the device's runner: only the mechanisms, because what they block is the same everywhere."""
    if device["sandbox_mechanisms"] and not device["sandbox_gaps"]:
        return ", ".join(device["sandbox_mechanisms"])
    return f"**{device['sandbox'] or 'open'}**"


def row_of(answer: dict) -> str:
    date = answer["date"]
    if "absent" in answer:
        return f"| {answer['name']} | **absent** | | | | | {cell(answer['absent'])} | {date} |"
    if "no_device" in answer:
        return f"| {answer['name']} | **no device** | | | | | {cell(answer['no_device'])} | {date} |"
    device, checks = answer["device"], answer["checks"]
    kernels = [check for check in checks if check["group"] in suite.KERNELS]
    faults = [check for check in checks if check["group"] in suite.FAULT_CLASSES]
    small = ", in work-groups of at most 32" if answer["small_groups"] else ""
    small += ", at one size only" if answer["is_slow"] else ""
    return (f"| {answer['name']}, {cell(device['driver_version'])} | {cell(device['name'])}, {device['opencl_c']} | "
            f"{share(kernels)}{small} | {share(faults)} | {against_itself(answer['itself'])} | "
            f"{cell(closed_by(device))} | {complaints(checks) or '–'} | {date} |")


def key_of(row: str) -> str:
    """A row is identified by its first cell, the driver and its version."""
    return row.split("|")[1].strip()


def put_rows(page: pathlib.Path, answers: list[dict]) -> None:
    """Replace the rows of these drivers. Rows of other versions stay. An incomplete result (the driver is absent, or no
    time was left) does not replace an earlier one."""
    text = page.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    rows = {key_of(row): row for row in text[begin:end].strip().splitlines()[len(HEADING):]}
    for answer in answers:
        known = [key for key in rows if key == answer["name"] or key.startswith(answer["name"] + ",")]
        unasked = "absent" in answer or any(check["outcome"] == suite.NOT_ASKED for check in answer.get("checks", []))
        if unasked and known and known != [answer["name"]]:
            continue
        rows.pop(answer["name"], None)
        row = row_of(answer)
        rows[key_of(row)] = row
    page.write_text(text[:begin] + "\n" + "\n".join([*HEADING, *rows.values()]) + "\n" + text[end:])
