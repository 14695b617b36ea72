#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the space of a kernel, for spaces.json, of the cache in which `kwb tune --cache` kept an exhaustive tuning.

    kwb tune tests/support/recorded_spaces/product.cl --size 128 --no-xray --cache cache.json
    recorded_spaces/record.py cache.json "GROUP_X * GROUP_Y <= 128" "EACH_X * EACH_Y <= 16"

The arguments after the cache are the restrictions of the space. Values are in ascending order, so that the first
configuration is not the defaults that somebody chose. Times are in the order of the space; null is not good.
"""

import itertools
import json
import pathlib
import sys


def main(cache: str, *require: str) -> None:
    text = pathlib.Path(cache).read_text().rstrip().rstrip(",")
    tuned = json.loads(text + "}}")
    params = {name: sorted(values) for name, values in tuned["tune_params"].items()}
    times = []
    for values in itertools.product(*params.values()):
        entry = tuned["cache"].get(",".join(map(str, values)))
        if entry is not None:
            time = entry["time"]
            times.append(float(f"{time:.4g}") if isinstance(time, (int, float)) else None)
    size = " x ".join(map(str, tuned["problem_size"]))
    about = f"{tuned['kernel_name']}, {size}, {tuned['device_name']}, {tuned['kwb']['driver']}"
    lines = [f'"{key}": {json.dumps(value)}' for key, value in (("about", about), ("params", params), ("require", require))]
    rows = [", ".join(map(json.dumps, times[i : i + 12])) for i in range(0, len(times), 12)]
    print("{" + ",\n".join([*lines, '"times_ms": [\n' + ",\n".join(rows) + "]"]) + "}")


if __name__ == "__main__":
    main(*sys.argv[1:])
