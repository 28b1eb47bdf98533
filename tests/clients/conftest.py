# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts vitrine-cli serve default once for all client tests."""
import re
import socket
import subprocess
import threading

import httpx2 as httpx
import openai
import pytest


def pytest_addoption(parser):
    parser.addoption("--cli", required=True, help="path of vitrine-cli")
    parser.addoption("--slow", action="store_true", help="run what is marked slow too: the big frameworks")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: needs tests/clients/requirements_slow.txt; run with --slow")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--slow"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]


class Server:
    """A running endpoint; `log` holds what it printed on standard error."""

    def __init__(self, cli, *arguments, model="default"):
        self.log = []
        self.process = subprocess.Popen([cli, "serve", model, "--port", "0", *arguments],
                                        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.url = None
        for line in self.process.stderr:
            self.log.append(line)
            found = re.search(r"http://[\d.]+:\d+", line)
            if found:
                self.url = found.group(0)
                break
        assert self.url, "vitrine-cli serve printed no address: " + "".join(self.log)
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self):
        for line in self.process.stderr:
            self.log.append(line)

    def connect(self, timeout=10):
        host, port = self.url.removeprefix("http://").split(":")
        return socket.create_connection((host, int(port)), timeout=timeout)

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=10)


@pytest.fixture(scope="session")
def cli(request):
    return request.config.getoption("--cli")


@pytest.fixture(scope="session")
def server(cli):
    running = Server(cli, "--num-blocks", "400", "--max-seqs", "16", "--ctx", "2048")
    yield running
    assert running.stop() == 0


@pytest.fixture(scope="session")
def client(server):
    return openai.OpenAI(base_url=server.url + "/v1", api_key="none", max_retries=0)


@pytest.fixture(scope="session")
def model(client):
    return client.models.list().data[0].id


@pytest.fixture(scope="session")
def http(server):
    with httpx.Client(base_url=server.url, timeout=60) as raw:
        yield raw
