"""Drive the system's Chromium over the DevTools protocol, through a pipe: no port, no driver."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shutil
import tempfile
from asyncio import StreamReader, StreamWriter
from pathlib import Path
from typing import Any

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
_FLAGS = (
    "--headless=new",
    "--no-sandbox",  # the pages are ours, and the tests may run as root
    "--remote-debugging-pipe",
    "--no-first-run",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
_LARGEST = 64 << 20
_WITHIN_S = 20


class NavigatedError(RuntimeError):
    """The page that was asked is no longer there."""


class Chromium:
    """One browser; it is started once and shows many tabs, each with cookies of its own."""

    def __init__(self) -> None:
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._events: dict[str, asyncio.Event] = {}
        self._next = 0
        self.errors: list[str] = []
        """What the pages' scripts and their policies complained of."""

    async def __aenter__(self) -> Chromium:
        assert PROGRAM is not None
        self._profile = tempfile.TemporaryDirectory(prefix="chromium", ignore_cleanup_errors=True)
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        # The browser reads from descriptor 3 and writes to 4.
        self._process = await asyncio.create_subprocess_exec(
            "bash",
            "-c",
            f'exec "$0" "$@" 3<&{to_read} 4>&{from_write}',
            PROGRAM,
            *_FLAGS,
            f"--user-data-dir={self._profile.name}",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            pass_fds=(to_read, from_write),
        )
        os.close(to_read)
        os.close(from_write)
        loop = asyncio.get_running_loop()
        self._in = StreamReader(limit=_LARGEST)
        protocol = asyncio.StreamReaderProtocol(self._in)
        self._read, _ = await loop.connect_read_pipe(lambda: protocol, os.fdopen(from_read, "rb"))
        out, flow = await loop.connect_write_pipe(
            lambda: asyncio.StreamReaderProtocol(StreamReader()), os.fdopen(to_write, "wb")
        )
        self._out = StreamWriter(out, flow, None, loop)
        self._reading = asyncio.create_task(self._receive())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.send("Browser.close")
        await self._process.wait()
        self._reading.cancel()
        await asyncio.wait({self._reading})
        self._out.close()
        self._read.close()
        await asyncio.to_thread(self._profile.cleanup)

    async def tab(
        self, *, width: int = 1280, height: int = 900, dark: bool = False, script: bool = True
    ) -> Tab:
        """A new tab that shares nothing with the others."""
        context = (await self.send("Target.createBrowserContext"))["browserContextId"]
        target = await self.send(
            "Target.createTarget", {"url": "about:blank", "browserContextId": context}
        )
        attached = await self.send(
            "Target.attachToTarget", {"targetId": target["targetId"], "flatten": True}
        )
        tab = Tab(self, attached["sessionId"], context)
        for domain in ("Page", "Runtime", "Log", "Network"):
            await tab.send(f"{domain}.enable")
        await tab.send(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await tab.send("Emulation.setEmulatedMedia", {"features": [scheme]})
        await tab.send("Emulation.setScriptExecutionDisabled", {"value": not script})
        return tab

    async def send(
        self, method: str, params: dict[str, Any] | None = None, session: str | None = None
    ) -> dict[str, Any]:
        """One command and its result."""
        self._next += 1
        number = self._next
        message: dict[str, Any] = {"id": number, "method": method, "params": params or {}}
        if session is not None:
            message["sessionId"] = session
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self._out.write(json.dumps(message).encode() + b"\0")
        async with asyncio.timeout(_WITHIN_S):
            received = await answer
        if "error" in received:
            told = f"{method}: {received['error']['message']}"
            raise NavigatedError(told) if "navigated" in told else RuntimeError(told)
        return received.get("result", {})

    def event(self, name: str, session: str) -> asyncio.Event:
        """Set when the tab next tells of this."""
        return self._events.setdefault(f"{session} {name}", asyncio.Event())

    async def _receive(self) -> None:
        while True:
            message = json.loads((await self._in.readuntil(b"\0"))[:-1])
            if "id" in message:
                self._answers.pop(message["id"]).set_result(message)
                continue
            name, params = message["method"], message["params"]
            if name == "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                self.errors.append(str(details.get("exception", details)))
            elif name == "Log.entryAdded" and params["entry"]["source"] in {
                "security",
                "violation",
            }:
                self.errors.append(params["entry"]["text"])
            waiting = self._events.get(f"{message.get('sessionId', '')} {name}")
            if waiting is not None:
                waiting.set()


class Tab:
    """One page as a person has it before them."""

    def __init__(self, browser: Chromium, session: str, context: str) -> None:
        self._browser = browser
        self._session = session
        self._context = context

    async def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """One command to this tab."""
        return await self._browser.send(method, params, self._session)

    async def close(self) -> None:
        """Let go of the tab and its cookies."""
        await self._browser.send(
            "Target.disposeBrowserContext", {"browserContextId": self._context}
        )

    async def go(self, url: str) -> None:
        """Open an address and wait until it is loaded."""
        loaded = self._browser.event("Page.loadEventFired", self._session)
        loaded.clear()
        await self.send("Page.navigate", {"url": url})
        await self._loaded(loaded)

    async def _loaded(self, loaded: asyncio.Event) -> None:
        async with asyncio.timeout(_WITHIN_S):
            await loaded.wait()

    async def cookie(self, name: str, value: str, url: str) -> None:
        """Give the tab a cookie."""
        await self.send("Network.setCookie", {"name": name, "value": value, "url": url})

    async def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is awaited."""
        answer = await self.send(
            "Runtime.evaluate",
            {"expression": script, "awaitPromise": True, "returnByValue": True},
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    async def until(self, condition: str) -> None:
        """Wait, within bounds, until an expression in the page is true."""
        script = f"""new Promise((yes, no) => {{
            const look = () => {{ try {{ if ({condition}) {{ done(); yes(); }} }} catch {{}} }};
            const watch = new MutationObserver(look);
            const never = () => {{ done(); no(new Error("never: " + {condition!r})); }};
            const late = setTimeout(never, 12000);
            const done = () => {{ watch.disconnect(); clearTimeout(late); clearInterval(often); }};
            const often = setInterval(look, 50);
            watch.observe(document, {{subtree: true, childList: true, attributes: true,
                                      characterData: true}});
            look();
        }})"""
        for _ in range(5):
            try:
                await self.run(script)
                return
            except NavigatedError:
                continue  # another page came up under the question
        raise AssertionError(f"one page after another, and never {condition}")

    async def press(self, key: str, *, code: str = "", modifiers: int = 0) -> None:
        """Press and let go of a key."""
        named = {"Enter": 13, "Tab": 9, "Escape": 27}
        event: dict[str, Any] = {"key": key, "code": code or key, "modifiers": modifiers}
        if key in named:
            event["windowsVirtualKeyCode"] = named[key]
            event["text"] = "\r" if key == "Enter" else ""
        else:
            event["text"] = key
        await self.send("Input.dispatchKeyEvent", {"type": "keyDown", **event})
        await self.send("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    async def type(self, text: str) -> None:
        """Type a text where the focus is."""
        await self.send("Input.insertText", {"text": text})

    async def click(self, selector: str) -> None:
        """Click in the middle of an element, as a pointer would."""
        place = await self.send("DOM.getDocument")
        node = await self.send(
            "DOM.querySelector", {"nodeId": place["root"]["nodeId"], "selector": selector}
        )
        await self.send("DOM.scrollIntoViewIfNeeded", {"nodeId": node["nodeId"]})
        box = await self.send("DOM.getContentQuads", {"nodeId": node["nodeId"]})
        quad = box["quads"][0]
        at = {"x": (quad[0] + quad[4]) / 2, "y": (quad[1] + quad[5]) / 2}
        mouse = {**at, "button": "left", "clickCount": 1}
        await self.send("Input.dispatchMouseEvent", {"type": "mousePressed", **mouse})
        await self.send("Input.dispatchMouseEvent", {"type": "mouseReleased", **mouse})

    async def load(self, selector: str) -> None:
        """Click something that leads to another page, and wait for it."""
        loaded = self._browser.event("Page.loadEventFired", self._session)
        loaded.clear()
        await self.click(selector)
        await self._loaded(loaded)

    async def picture(self, path: Path) -> None:
        """Save what the whole page looks like."""
        shot = await self.send(
            "Page.captureScreenshot", {"captureBeyondViewport": True, "format": "png"}
        )
        await asyncio.to_thread(path.write_bytes, base64.b64decode(shot["data"]))
