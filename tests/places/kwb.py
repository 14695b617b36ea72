# SPDX-License-Identifier: Apache-2.0
"""Running kwb as a person does, with its standard error on a terminal, so that it draws its progress."""

import json
import os
import pathlib
import pty
import signal
import subprocess
import threading

import bed

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_S = 600  # only a hang takes as long
# What kwb starts, here and there.
OURS = ("kwb", "kwb-judge", "kwb-runner", "kwb-xray", "ssh", "srun", "salloc")


class Kwb:
    """A running kwb."""

    def __init__(self, folder: pathlib.Path, build: pathlib.Path, *words: str) -> None:
        self._out = folder / "stdout"
        terminal, end = pty.openpty()
        environment = os.environ | {"NO_COLOR": "1", "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": str(folder / "config"),
                                    "COLUMNS": "300"}
        environment.pop("KWB_JUDGE", None)

        def lead() -> None:  # a terminal of its own, from which ssh could ask for a password
            os.setsid()
            os.close(os.open(os.ttyname(2), os.O_RDWR))

        with open(self._out, "wb") as out:
            self.process = subprocess.Popen([build / "bin" / "kwb", *words], stdin=subprocess.DEVNULL, stdout=out, stderr=end,
                                            env=environment, preexec_fn=lead)
        os.close(end)
        self._said = bytearray()
        self._reader = threading.Thread(target=self._read, args=(terminal,), daemon=True)
        self._reader.start()

    def _read(self, terminal: int) -> None:
        try:
            while block := os.read(terminal, 65536):
                self._said += block
        except OSError:  # the last end of the terminal was closed
            pass
        os.close(terminal)

    @property
    def err(self) -> str:
        return self._said.decode("utf-8", "replace")

    @property
    def end_of_err(self) -> str:
        """With a line for each time that the progress was drawn."""
        return "\n".join(self.err.replace("\r", "\n").split("\n")[-20:])

    @property
    def out(self) -> str:
        return self._out.read_text()

    def wait_for(self, words: str, after: int = 0) -> int:
        """Wait until standard error has `words`; returns where they end."""
        def ended() -> bool:
            return self.process.poll() is not None and not self._reader.is_alive()
        bed.wait_until(lambda: words in self.err[after:] or ended(), f"'{words}' in: {self.end_of_err}")
        assert words in self.err[after:], f"kwb ended without '{words}': {self.end_of_err}"
        return self.err.index(words, after) + len(words)

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def link(self, name: str) -> bed.Process:
        """The launch command that is running."""
        def find() -> bed.Process | None:
            return next((process for process in bed.named(name) if process.parent == self.process.pid), None)
        return bed.wait_until(find, f"{name} started by kwb")

    def end(self, code: int) -> "Kwb":
        """Wait for the end and for the last words."""
        try:
            got = self.process.wait(MOST_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"kwb does not end: {self.end_of_err}") from None
        self._reader.join(MOST_S)
        assert got == code, f"exit code {got} instead of {code}:\n{self.out}\n{self.end_of_err}"
        return self

    def finish(self, code: int) -> "Kwb":
        """Wait for the end, which must leave nothing behind, neither here nor there."""
        self.end(code)
        require_nothing_left()
        return self

    def tells(self, *parts: str) -> "Kwb":
        for part in parts:
            assert part in self.out, f"'{part}' is not in:\n{self.out}\n{self.end_of_err}"
        return self

    def complains(self, *parts: str) -> "Kwb":
        for part in parts:
            assert part in self.err, f"'{part}' is not in:\n{self.end_of_err}"
        return self


def require_nothing_left() -> None:
    left = ", ".join(process.command for process in bed.named(*OURS))
    bed.wait_until(lambda: not bed.named(*OURS), f"the end of {left}")
    bed.wait_until(lambda: not bed.Bed.jobs(), f"the end of jobs: {bed.ask('squeue')}")


def results(kwb: Kwb) -> list[dict]:
    return json.loads(kwb.out)["results"]
