# SPDX-License-Identifier: Apache-2.0
"""The results of tests/hardware/run as a Markdown page."""

import measure
import suite
import table


def ladder_lines(ladder: dict) -> list[str]:
    lines = ["", f"**{ladder['folder']}, {ladder['title']}**", "",
             "| kernel | time (95 % interval) | GFLOP/s | GB/s | speed-up over the first |", "|---|---|---|---|---|"]
    lines += [measure.ladders.row_of(result) for result in ladder["results"]]
    reasons = [f"`{result['kernel']}`: {table.cell(result['reason'])}" for result in ladder["results"]
               if result["verdict"] != "correct" and result["reason"]]
    lines += ["", *(f"* {reason}" for reason in reasons)] if reasons else []
    if ladder["left_out"]:
        lines += ["", "Left out: " + ", ".join(f"`{name}` ({why})" for name, why in ladder["left_out"].items()) + "."]
    return lines


def why_not(ladder: dict) -> str:
    said = ladder["said"].strip().splitlines()
    return table.cell(said[-1]) if said else "no kernel would finish in the time left"


def ceiling_line(what: str, result: dict) -> str:
    rate = f"{result['gbytes_s']:.4g} GB/s" if what == "memory" else f"{result['gflops']:.4g} GFLOP/s"
    size = " × ".join(str(value) for value in result["size"].values())
    params = " ".join(f"{name}={value}" for name, value in result["params"].items())
    took = measure.ladders.with_interval(result["median_ms"], result["ci95_ms"], " ms")
    return f"| {what} | {rate} | `{result['kernel']}` {params}, size {size} | {took} |"


def device_section(answer: dict) -> list[str]:
    device = answer["device"]
    failures = table.failures_of(answer)
    lines = ["", f"## {device['name']}", "",
             f"{device['platform']}, driver {device['driver_version']}, {device['opencl_c']}; {device['compute_units']} "
             f"compute units, {device['global_mem_bytes'] / 2**30:.1f} GiB, work-groups of up to "
             f"{device['max_work_group_size']}, {device['local_mem_bytes'] / 1024:.0f} KiB of local memory. "
             f"The driver is `{answer['library']}`; it answered after {answer['start_s']:.1f} s.", ""]
    if "checks" in answer:
        lines += [*table.HEADING, table.row_of(answer)]
        if failures:
            lines += ["", f"{len(failures)} checks failed; `failures.log` has the output."]
    if answer.get("ceilings"):
        lines += ["", "**Ceilings**", "", "| of | rate | by | time (95 % interval) |", "|---|---|---|---|"]
        lines += [ceiling_line(what, result) for what, result in answer["ceilings"].items()]
    measured = [ladder for ladder in answer.get("ladders", []) if ladder["results"]]
    for ladder in measured:
        lines += ladder_lines(ladder)
    rest = [ladder for ladder in answer.get("ladders", []) if not ladder["results"]]
    if rest:
        lines += ["", "**Not measured**", ""]
        lines += [f"* {ladder['folder']}, {ladder['title']}: {why_not(ladder)}" for ladder in rest]
    return lines


def page_of(found: dict) -> str:
    lines = [f"# {found['title']}", "", f"Written by `tests/hardware/run` on {found['date']}, in {found['seconds']:.0f} "
             f"of at most {found['limit_s']:.0f} s; host {found['host']}."]
    if found["neighbours_cores"]:
        lines += ["", f"**Busy machine: other programs used {found['neighbours_cores']:.1f} cores meanwhile, which "
                  "makes these times longer.**"]
    if found["remark"]:
        lines += ["", f"**{found['remark']}**"]
    if found["stopped"]:
        lines += ["", f"Stopped early: {found['stopped']}. The results so far follow."]
    for answer in found["drivers"]:
        if "device" in answer:
            lines += device_section(answer)
    silent = [answer for answer in found["drivers"] if "no_device" in answer]
    if silent:
        lines += ["", "## Drivers without a device", ""]
        lines += [f"* `{answer['library']}`: {table.cell(answer['no_device'])}" for answer in silent]
    if not found["drivers"]:
        lines += ["", "No OpenCL driver was found in the vendors folders, in the cache of ldconfig, or where "
                  "installers and containers put drivers; name one with --driver PATH."]
    return "\n".join(lines) + "\n"
