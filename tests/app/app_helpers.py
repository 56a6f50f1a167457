"""The app, in a thread of the tests, and a browser without scripts."""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import threading
import time
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import uvicorn

from unisono.app.answering import State
from unisono.app.guarding import Guard
from unisono.app.home import Home
from unisono.app.serving import site

TOKEN = "the-token"


def command(name, paths, given):
    """Write a command, roughly as the command line does."""
    options = [f"--{name} {shlex.quote(str(value))}" for name, value in given.items()]
    return " ".join(["unisono", name, *map(str, paths), *options])


class Answer(NamedTuple):
    """What the app answered."""

    status: int
    headers: http.client.HTTPMessage
    content: bytes
    address: str

    @property
    def text(self):
        return self.content.decode()

    @property
    def data(self):
        return json.loads(self.content)

    @property
    def said(self):
        """The words, without tags."""
        return " ".join(re.sub(r"<[^>]+>", " ", self.text).split())


class Browser:
    """A browser that keeps cookies and follows redirections."""

    def __init__(self, port):
        self.port = port
        self.cookie = ""

    def ask(self, method, address, content=None, **headers):
        sent = {"Host": f"127.0.0.1:{self.port}", "Origin": f"http://127.0.0.1:{self.port}", "Cookie": self.cookie}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            given = {name: value for name, value in sent.items() if value is not None}
            connection.request(method, address, content, given)
            found = connection.getresponse()
            answer = Answer(found.status, found.headers, found.read(), address)
        finally:
            connection.close()
        if answer.headers["Set-Cookie"]:
            self.cookie = answer.headers["Set-Cookie"].partition(";")[0]
        if answer.status == 303:
            return self.ask("GET", urlsplit(answer.headers["Location"])._replace(fragment="").geturl())
        return answer

    def get(self, address, **headers):
        return self.ask("GET", address, **headers)

    def send(self, address, fields=(), **headers):
        """Send a form."""
        kind = "application/x-www-form-urlencoded"
        return self.ask("POST", address, urlencode(fields, doseq=True), Content_Type=kind, **headers)

    def tell(self, address, content, **headers):
        """Send what a script sends."""
        return self.ask("POST", address, json.dumps(content), Content_Type="application/json", **headers)


class App:
    """The app, and a browser that has been let in."""

    def __init__(self, folder):
        self.state = State(Home(folder / "home"), command)
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        guarded = Guard(site(self.state), self.port, TOKEN)
        config = uvicorn.Config(guarded, log_level="critical", lifespan="off", ws="none", server_header=False)
        self.server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]})
        self._thread.start()
        self.browser = self.stranger()
        self.browser.get(f"/?token={TOKEN}")

    def stranger(self):
        """Return a browser that was not let in."""
        return Browser(self.port)

    def open(self, *paths):
        """Open data, wait until it has been read, and return its address."""
        answer = self.browser.send("/open", {"path": "\n".join(map(str, paths))})
        assert answer.status == 200, answer.text
        address = answer.address
        self.data(address).reading.wait(60)
        return address

    def data(self, address):
        """Return open data."""
        return self.state.library.known(address.split("/")[2])

    def page(self, address):
        """Return a page, when whatever it waits for is over."""
        end = time.monotonic() + 120
        while "data-watch" in (answer := self.browser.get(address)).text and time.monotonic() < end:
            time.sleep(0.05)
        return answer

    def close(self):
        """End the server and all work."""
        self.server.should_exit = True
        self._thread.join()
        self.state.library.close()


class Program:
    """`unisono serve` as a program."""

    def __init__(self, home, *arguments):
        command = [sys.executable, "-m", "unisono", "serve", "--no-browser", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, encoding="utf-8", env={**os.environ, "UNISONO_HOME": str(home)}
        )
        lines = iter(self.process.stderr.readline, "")
        self.address = next(found[0] for line in lines if (found := re.search(r"http://\S+", line)))
        self.root = self.address.partition("/?")[0]

    def kill(self):
        """End it as a power failure would."""
        self.process.kill()
        self.process.wait()

    def end(self):
        """End it if it is still there."""
        if self.process.poll() is None:
            self.kill()
        self.process.stderr.close()
