# SPDX-License-Identifier: Apache-2.0
"""Counts the programs of a build that a command starts, by test.

Linux tells root of every fork and exec through the process connector (Documentation/driver-api/connector.rst).
"""

import os
import re
import socket
import struct
import subprocess
import threading

CONNECTOR = 11  # NETLINK_CONNECTOR
LISTEN, IGNORE = 1, 2  # PROC_CN_MCAST_*
FORK, EXEC = 1, 2  # PROC_EVENT_*
BODY = 16 + 20  # nlmsghdr, cn_msg


def subscribe(channel, operation):
    message = struct.pack("=IIIIHHI", 1, 1, 0, 0, 4, 0, operation)
    channel.send(struct.pack("=IHHII", 16 + len(message), 3, 0, 0, os.getpid()) + message)


def read_link(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def test_of(pid):
    """The name of a test of ctest: the first source or the filter of its cases."""
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            words = file.read().split("\0")
    except OSError:
        return "ended at once"
    named = re.search(r"--(?:source-file|test-case)=\W*([\w/ ]+)", " ".join(words))
    return named.group(1).strip() if named else os.path.basename(words[0])


class Listener:
    """Follows the descendants of this process until stop()."""

    def __init__(self, channel, build):
        self.channel = channel
        self.build = str(build)
        self.tests = {os.getpid(): None}  # process → its test; None: the command itself
        self.counts = {}
        self.thread = threading.Thread(target=self.follow)

    def follow(self):
        while True:
            try:
                event = self.channel.recv(4096)
            except TimeoutError:
                if self.ended:
                    return
                continue
            what = struct.unpack_from("=I", event, BODY)[0]
            if what == FORK:
                _, parent, _, child = struct.unpack_from("=IIII", event, BODY + 16)
                if parent in self.tests:
                    self.tests[child] = self.tests[parent]
            elif what == EXEC:
                _, pid = struct.unpack_from("=II", event, BODY + 16)
                if pid in self.tests:
                    self.started(pid)

    def started(self, pid):
        program = read_link(pid)
        if not program.startswith(self.build):
            return
        if self.tests[pid] is None:
            self.tests[pid] = test_of(pid)
        self.counts[self.tests[pid]] = self.counts.get(self.tests[pid], 0) + 1

    ended = False


def count_processes(command, folder, build):
    """Run a command in a folder.

    @return  its exit code, and how many programs of the build each test started; None if that cannot be counted
    """
    try:
        channel = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, CONNECTOR)
        channel.bind((os.getpid(), 1))
        channel.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        channel.settimeout(0.2)
        subscribe(channel, LISTEN)
    except OSError:
        return subprocess.run(command, cwd=folder, check=False).returncode, None
    listener = Listener(channel, build)
    listener.thread.start()
    outcome = subprocess.run(command, cwd=folder, check=False).returncode
    listener.ended = True
    listener.thread.join()
    subscribe(channel, IGNORE)
    return outcome, listener.counts
