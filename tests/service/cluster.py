"""A PostgreSQL cluster of three nodes on this machine, with Patroni, etcd and HAProxy.

The cluster uses Debian's packages, which `.ci/failover-tools` installs. Each node has a network
namespace with one address. A test can thus cut the node off, and find all of its processes.
"""

import asyncio
import json
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import asyncpg
import httpx

USER: Final = "postgres"
PASSWORD: Final = "only-for-this-run"
"""A fixed password is safe, because only this machine reaches the addresses of the cluster."""

DYNAMIC: Final = {
    "ttl": 10,
    "loop_wait": 2,
    "retry_timeout": 3,
    "maximum_lag_on_failover": 0,
    "synchronous_mode": True,
    "synchronous_mode_strict": True,
    "primary_start_timeout": 0,
    "postgresql": {
        "use_pg_rewind": True,
        "parameters": {
            "synchronous_commit": "on",
            "max_connections": 200,
            "wal_keep_size": "256MB",
        },
    },
}
"""The settings that docs/how-to/failover.md recommends."""

BALANCER: Final = """
global
    maxconn 500
defaults
    mode tcp
    timeout connect 2s
    timeout client 1h
    timeout server 1h
    timeout check 1s
listen primary
    bind {address}:5000
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""

START_S: Final = 180
HEALTHY_S: Final = 150


def missing() -> str:
    """Return the reason why no cluster can run here, or "" if it can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    tools = ("patroni", "etcd", "haproxy", "ip", "setpriv")
    gone = [tool for tool in tools if _tool(tool) is None]
    if _binaries() is None:
        gone.append("postgresql")
    if gone:
        return f"not installed: {', '.join(gone)}; .ci/failover-tools installs what is missing"
    return ""


def _tool(name: str) -> str | None:
    return shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin")


def _binaries() -> Path | None:
    """Return the folder of Debian's newest PostgreSQL."""
    paths = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    return paths[-1].parent if paths else None


def ip(*arguments: str) -> str:
    command = ["ip", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@dataclass
class Node:
    """One PostgreSQL with its Patroni, in a separate network namespace."""

    name: str
    address: str
    folder: Path
    namespace: str
    link: str
    patroni: "subprocess.Popen[bytes] | None" = None

    @property
    def api(self) -> str:
        return f"http://{self.address}:8008"

    def start(self) -> None:
        """Start Patroni, which starts PostgreSQL."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        user = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups"]
        command = ["patroni", str(self.folder / "patroni.json")]
        with (self.folder / "log").open("ab") as log:
            self.patroni = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, *user, *command],
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def processes(self) -> list[int]:
        """Return the ids of all processes in the namespace."""
        return [int(pid) for pid in ip("netns", "pids", self.namespace).split()]

    def signal(self, number: signal.Signals, only: Sequence[int] | None = None) -> None:
        """Send a signal to the processes `only`, or else to all processes of the node."""
        for pid in self.processes() if only is None else only:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill(self) -> None:
        """Kill all processes, as a loss of power does."""
        for _ in range(20):
            self.signal(signal.SIGKILL)
            if not self.processes():
                break
            time.sleep(0.05)
        self._reap()

    def kill_patroni(self) -> None:
        """Kill Patroni. PostgreSQL continues without control."""
        assert self.patroni is not None
        self.patroni.kill()
        self._reap()

    def kill_postgresql(self) -> None:
        """Kill PostgreSQL's first process. The others then end."""
        first = (self.folder / "data" / "postmaster.pid").read_text().split("\n")[0]
        os.kill(int(first), signal.SIGKILL)

    def _reap(self) -> None:
        if self.patroni is not None:
            self.patroni.wait(20)

    def plug(self, *, on: bool) -> None:
        """Connect or disconnect the network."""
        ip("link", "set", self.link, "up" if on else "down")

    def route(self, address: str, *, on: bool) -> None:
        """Restore or remove the route to one address."""
        what = "del" if on else "add"
        ip("netns", "exec", self.namespace, "ip", "route", what, "blackhole", f"{address}/32")


@dataclass
class Cluster:
    """All nodes with etcd and HAProxy, at addresses that only this machine has."""

    folder: Path
    nodes: list[Node] = field(default_factory=list)
    _processes: "list[subprocess.Popen[bytes]]" = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tag = f"{os.getpid():x}"[-5:]
        self.network = f"10.213.{os.getpid() % 250}"
        self.bridge = f"affb{self.tag}"

    @property
    def dsn(self) -> str:
        """Return the address of HAProxy, which routes to the primary."""
        return f"postgresql://{USER}:{PASSWORD}@{self.network}.1:5000/affray"

    @property
    def store(self) -> str:
        """Return the address of etcd."""
        return f"{self.network}.2"

    async def start(self) -> "Cluster":
        """Start everything. Return when three nodes are healthy and the database exists."""
        ip("link", "add", self.bridge, "type", "bridge")
        ip("addr", "add", f"{self.network}.1/24", "dev", self.bridge)
        ip("addr", "add", f"{self.network}.2/24", "dev", self.bridge)
        ip("link", "set", self.bridge, "up")
        self._etcd()
        self.nodes = [self._node(number) for number in (1, 2, 3)]
        self._haproxy()
        for node in self.nodes:
            node.start()
        await self.healthy(START_S)
        async with asyncio.timeout(30):
            await self._database()
        return self

    async def _database(self) -> None:
        while True:
            try:
                dsn = self.dsn.replace("/affray", "/postgres")
                connection = await asyncpg.connect(dsn, timeout=5)
            except (OSError, asyncpg.PostgresError):
                await asyncio.sleep(0.5)
                continue
            await connection.execute("CREATE DATABASE affray")
            await connection.close()
            return

    def stop(self) -> None:
        """End every process of the cluster, and remove its network."""
        for node in self.nodes:
            with suppress(subprocess.CalledProcessError):
                node.signal(signal.SIGCONT)
                node.kill()
                ip("netns", "del", node.namespace)
        for process in self._processes:
            process.kill()
            process.wait(10)
        with suppress(subprocess.CalledProcessError):
            ip("link", "del", self.bridge)

    # ---- the state of the cluster

    async def members(self, but: Node | None = None) -> list[Any]:
        """Return the cluster's members, as reported by the first node that answers.

        The method does not ask the node `but`.
        """
        async with httpx.AsyncClient(timeout=2) as http:
            for node in (node for node in self.nodes if node is not but):
                with suppress(httpx.HTTPError, KeyError):
                    members: list[Any] = (await http.get(f"{node.api}/cluster")).json()["members"]
                    return members
        return []

    async def healthy(self, seconds: float = HEALTHY_S) -> tuple[Node, Node]:
        """Wait for a leader and two followers. Return the leader and the synchronous follower."""
        until = time.monotonic() + seconds
        members: list[Any] = []
        while time.monotonic() < until:
            members = await self.members()
            up = {
                member["name"] for member in members if member["state"] in ("running", "streaming")
            }
            roles = {member["role"]: member["name"] for member in members}
            level = len({member.get("timeline") for member in members}) == 1
            if len(up) == 3 and level and {"leader", "sync_standby"} <= roles.keys():
                by_name = {node.name: node for node in self.nodes}
                return by_name[roles["leader"]], by_name[roles["sync_standby"]]
            await asyncio.sleep(0.5)
        raise AssertionError(f"the cluster does not recover: {members}")

    async def led_by_another(self, than: Node) -> None:
        """Wait until another node leads."""
        async with asyncio.timeout(HEALTHY_S):
            while True:
                for member in await self.members(than):
                    if member["role"] == "leader" and member["name"] != than.name:
                        return
                await asyncio.sleep(0.1)

    async def switch_over(self, primary: Node) -> None:
        """Ask Patroni to make the standby the primary."""
        async with httpx.AsyncClient(timeout=60) as http:
            answer = await http.post(f"{primary.api}/switchover", json={"leader": primary.name})
            assert answer.status_code == 200, answer.text

    # ---- construction of the cluster

    def _etcd(self) -> None:
        peer = f"http://{self.store}:2380"
        client = f"http://{self.store}:2379"
        self._run(
            "etcd",
            *("--name", "one", "--data-dir", str(self.folder / "etcd")),
            *("--listen-client-urls", client, "--advertise-client-urls", client),
            *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer),
            *("--initial-cluster", f"one={peer}", "--enable-v2"),
            *("--logger", "zap", "--log-level", "error"),
        )

    def _haproxy(self) -> None:
        servers = "\n".join(
            f"    server {node.name} {node.address}:5432 maxconn 200 check port 8008"
            for node in self.nodes
        )
        text = BALANCER.format(address=f"{self.network}.1", servers=servers)
        path = self.folder / "haproxy.cfg"
        path.write_text(text)
        self._run("haproxy", "-db", "-q", "-f", str(path))

    def _run(self, *command: str) -> None:
        with (self.folder / f"{command[0]}.log").open("ab") as log:
            process = subprocess.Popen(
                [str(_tool(command[0])), *command[1:]],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._processes.append(process)

    def _node(self, number: int) -> Node:
        name = f"node{number}"
        folder = self.folder / name
        folder.mkdir()
        node = Node(
            name,
            f"{self.network}.1{number}",
            folder,
            f"affray-{self.tag}-{number}",
            f"affv{self.tag}{number}",
        )
        ip("netns", "add", node.namespace)
        ip(
            "link",
            "add",
            node.link,
            "type",
            "veth",
            "peer",
            "name",
            "eth0",
            "netns",
            node.namespace,
        )
        ip("link", "set", node.link, "master", self.bridge, "up")
        inside = ("netns", "exec", node.namespace, "ip")
        ip(*inside, "addr", "add", f"{node.address}/24", "dev", "eth0")
        ip(*inside, "link", "set", "eth0", "up")
        ip(*inside, "link", "set", "lo", "up")
        (folder / "patroni.json").write_text(json.dumps(self._settings(node)))
        owner = pwd.getpwnam(USER)
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        return node

    def _settings(self, node: Node) -> dict[str, Any]:
        """Return the settings of one Patroni.

        Patroni reads YAML. A file of JSON is valid YAML.
        """
        return {
            "scope": "affray",
            "name": node.name,
            "restapi": {
                "listen": f"{node.address}:8008",
                "connect_address": f"{node.address}:8008",
            },
            # The section `etcd3` is not safe before Patroni 3.0.3: a resumed primary may take
            # the lock of another node.
            "etcd": {"host": f"{self.store}:2379"},
            "bootstrap": {
                "dcs": DYNAMIC,
                "initdb": [{"encoding": "UTF8"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"{node.address}:5432",
                "connect_address": f"{node.address}:5432",
                "data_dir": str(node.folder / "data"),
                "bin_dir": str(_binaries()),
                "pgpass": str(node.folder / "pgpass"),
                "parameters": {"unix_socket_directories": str(node.folder)},
                "pg_hba": [
                    f"host replication {USER} {self.network}.0/24 scram-sha-256",
                    f"host all {USER} {self.network}.0/24 scram-sha-256",
                    "local all all trust",
                ],
                "authentication": {
                    "superuser": {"username": USER, "password": PASSWORD},
                    "replication": {"username": USER, "password": PASSWORD},
                },
            },
        }
