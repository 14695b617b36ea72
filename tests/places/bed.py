# SPDX-License-Identifier: Apache-2.0
"""A private machine for the tests: sshd on the loopback address and a Slurm of two nodes, in namespaces of their own."""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

INSIDE = "KWB_PLACES_INSIDE"
NEEDED = {"sshd": "openssh-server", "ssh": "openssh-client", "ssh-keygen": "openssh-client", "munged": "munge",
          "slurmctld": "slurmctld", "slurmd": "slurmd", "srun": "slurm-client", "ip": "iproute2"}
ADDRESS = "10.99.0.1"
SSH_PORT = 2222
NODES = ("n1", "n2")
PATIENCE_S = 300  # only a hang takes as long


def enter() -> None:
    """Start this program again in private mount, network and process namespaces, where it is process 1: whatever it
    starts is invisible outside and ends with it."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if os.environ.get(INSIDE):
        return
    missing = sorted({package for program, package in NEEDED.items() if not shutil.which(program)})
    if missing:
        sys.exit(f"tests/places/run: missing packages: {' '.join(missing)}; run ./workbench --install-only ci")
    unshare = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    probe = subprocess.run([*unshare, "true"], capture_output=True, text=True)
    if os.geteuid() != 0 or probe.returncode != 0:
        sys.exit("tests/places/run: it needs root and the right to make namespaces (CAP_SYS_ADMIN and CAP_NET_ADMIN, for "
                 f"its own network, sshd and Slurm): {probe.stderr.strip() or 'this is not root'}")
    os.execvpe(unshare[0], [*unshare, sys.executable, *sys.argv], os.environ | {INSIDE: "1"})


def wait_until(holds, what: str, patience_s: float = PATIENCE_S):
    """Returns what `holds` returns, once that is true."""
    deadline = time.monotonic() + patience_s
    while not (value := holds()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {patience_s:g} s in vain for: {what}")
        time.sleep(0.02)
    return value


class Bed:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._prepare_machine()
        self._start_sshd()
        self._start_slurm()

    def _run(self, *command: str) -> None:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE_S)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stdout}{done.stderr}")

    def _prepare_machine(self) -> None:
        for target in ("/run", "/sys/fs/cgroup"):
            self._run("mount", "-t", "tmpfs", "none", target)
        pathlib.Path("/run/sshd").mkdir()
        self._run("ip", "link", "set", "lo", "up")
        # Name lookups ignore addresses of families that only the loopback interface has.
        self._run("ip", "tuntap", "add", "d0", "mode", "tun")
        self._run("ip", "addr", "add", f"{ADDRESS}/24", "dev", "d0")
        self._run("ip", "link", "set", "d0", "up")

    def _start_sshd(self) -> None:
        for name in ("key", "host_key"):
            self._run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / name))
        (self.folder / "sshd_config").write_text(
            f"ListenAddress 127.0.0.1\nPort {SSH_PORT}\nHostKey {self.folder}/host_key\n"
            f"AuthorizedKeysFile {self.folder}/key.pub\nStrictModes no\nUsePAM no\nPidFile {self.folder}/sshd.pid\n")
        host = (self.folder / "host_key.pub").read_text()
        (self.folder / "known_hosts").write_text(f"[127.0.0.1]:{SSH_PORT} {host}")
        self._run(shutil.which("sshd"), "-f", f"{self.folder}/sshd_config", "-E", f"{self.folder}/sshd.log")

    def ssh(self, port: int = SSH_PORT, key: str = "key", known_hosts: str = "known_hosts") -> str:
        """The command that runs what follows it through sshd."""
        return (f"ssh -F none -p {port} -i {self.folder}/{key} -o IdentitiesOnly=yes "
                f"-o UserKnownHostsFile={self.folder}/{known_hosts} root@127.0.0.1")

    def _start_slurm(self) -> None:
        folder, host = self.folder, socket.gethostname()
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self._run("munged", "--force", f"--key-file={key}", *(
            f"--{name}={folder}/munge.{name.split('-')[0]}" for name in ("socket", "pid-file", "log-file", "seed-file")))
        (folder / "state").mkdir()
        (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        (folder / "slurm.conf").write_text(f"""ClusterName=places
SlurmctldHost={host}({ADDRESS})
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
NodeName={','.join(NODES)} NodeHostname={host} NodeAddr={ADDRESS} Port=[17001-17002] Sockets=1 CoresPerSocket=2
PartitionName=p Nodes={','.join(NODES)} Default=YES State=UP
""")
        os.environ["SLURM_CONF"] = f"{folder}/slurm.conf"
        self._run("slurmctld")
        for node in NODES:
            self.start_node(node)

    def start_node(self, node: str) -> None:
        self._run("slurmd", "-N", node)
        wait_until(lambda: node in ask("sinfo", "-h", "-N", "-t", "idle", "-o", "%N"), f"node {node} is idle")

    def kill_node(self, node: str) -> None:
        """Kill its slurmd and all its tasks with what keeps them, as if the machine had gone."""
        tasks = [process for process in processes() if f"SLURMD_NODENAME={node}" in process.environment]
        keepers = {task.parent for task in tasks}
        gone = [process.pid for process in processes()
                if process.command.startswith(f"slurmd -N {node}") or process.pid in keepers]
        kill(gone + [task.pid for task in tasks])

    def clear(self, names: tuple[str, ...]) -> None:
        """Remove what a case that failed has left: processes of these names, jobs, and dead nodes."""
        kill([process.pid for process in named(*names)])
        ask("scancel", "--user", "root")
        running = [process.command for process in named("slurmd")]
        for node in NODES:
            if not any(command.startswith(f"slurmd -N {node}") for command in running):
                self.start_node(node)
        wait_until(lambda: not self.jobs(), "the end of all jobs")

    @staticmethod
    def jobs() -> list[str]:
        return ask("squeue", "-h", "-o", "%i").split()


def kill(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):  # it has ended with its parent
            os.kill(pid, signal.SIGKILL)


def ask(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S).stdout


class Process:
    """An entry of /proc."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.command = pathlib.Path(f"/proc/{pid}/cmdline").read_text(errors="replace").rstrip("\0").replace("\0", " ")
        self.name, _, rest = pathlib.Path(f"/proc/{pid}/stat").read_text().partition("(")[2].rpartition(")")
        self.state, parent, *_ = rest.split()
        self.parent = int(parent)
        self.environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")


def processes() -> list[Process]:
    """Those of this namespace, without the dead."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                process = Process(int(entry.name))
            except OSError:  # it has ended
                continue
            if process.state != "Z":
                found.append(process)
    return found


def named(*names: str) -> list[Process]:
    return [process for process in processes() if process.name in names]
