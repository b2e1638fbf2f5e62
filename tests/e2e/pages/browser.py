"""A headless Chromium, controlled through its debugging pipe. browser.sh is the test that uses it."""
import atexit
import base64
import glob
import json
import os
import struct
import subprocess
import time


class Browser:
    """One page with the size of a phone."""

    def __init__(self, program, profile, width=390, height=844):
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()

        def connect():
            # The browser reads from descriptor 3 and writes to descriptor 4. Copies above 9 are not overwritten.
            source, target = os.dup2(to_read, 10), os.dup2(from_write, 11)
            os.dup2(source, 3)
            os.dup2(target, 4)
            os.close(source)
            os.close(target)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--force-color-profile=srgb",
             "--remote-debugging-pipe", "--user-data-dir=" + profile, "about:blank"],
            preexec_fn=connect, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(profile + ".log", "w"))
        os.close(to_read)
        os.close(from_write)
        self.profile = profile
        atexit.register(self.close)
        self.output, self.input = os.fdopen(to_write, "wb", 0), os.fdopen(from_read, "rb")
        self.number, self.session, self.events = 0, None, []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t["targetId"] for t in targets if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.set_size(width, height, True)

    def receive(self):
        data = bytearray()
        while True:
            byte = self.input.read(1)
            if not byte:
                raise EOFError("the browser ended")
            if byte == b"\0":
                return json.loads(data.decode())
            data += byte

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.output.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_event(self, method):
        while True:
            for i, event in enumerate(self.events):
                if event.get("method") == method:
                    return self.events.pop(i)
            self.events.append(self.receive())

    def open(self, url):
        self.events = [e for e in self.events if e.get("method") != "Page.loadEventFired"]
        self.call("Page.navigate", url=url)
        self.wait_event("Page.loadEventFired")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_for(self, expression, seconds=300):
        """Waits until the expression is true, also while another page loads."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                if self.evaluate(expression):
                    return
            except RuntimeError:
                pass  # the page is being replaced
            if time.monotonic() > deadline:
                raise TimeoutError(expression)
            time.sleep(0.1)

    def set_size(self, width, height, phone):
        self.size = (width, height)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def dark(self):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])

    def problems(self):
        """What the page's scripts and its security policy reported as errors."""
        return [e for e in self.events if e.get("method") == "Runtime.exceptionThrown" or
                (e.get("method") == "Log.entryAdded" and e["params"]["entry"]["level"] == "error")]

    def cut_labels(self):
        """Texts of pictures that stick out of them."""
        return self.evaluate("""[...document.querySelectorAll('svg text')].filter(t => {
            const inner = t.getBoundingClientRect(), outer = t.ownerSVGElement.getBoundingClientRect();
            return inner.left < outer.left - 0.5 || inner.right > outer.right + 0.5 ||
                inner.top < outer.top - 0.5 || inner.bottom > outer.bottom + 0.5;
        }).map(t => t.textContent)""")

    def check_page(self, name):
        """Without errors, nothing wider than the window, a picture of its size with text and lines."""
        wide = self.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1] and wide[1] == self.size[0], f"{name}: {wide}"
        assert not self.cut_labels(), f"{name}: {self.cut_labels()}"
        assert not self.problems(), f"{name}: {self.problems()}"
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        with open(os.path.join(os.environ["pictures"], name + ".png"), "wb") as f:
            f.write(data)
        assert struct.unpack(">II", data[16:24]) == self.size, name
        assert len(data) > 8000, f"{name}: {len(data)} bytes" # an empty page has less

    def is_running(self):
        def arguments(path):
            try:
                with open(path, "rb") as f:
                    return f.read()
            except OSError:
                return b""
        return any(self.profile.encode() in arguments(path) for path in glob.glob("/proc/[0-9]*/cmdline")
                   if path != f"/proc/{os.getpid()}/cmdline")

    def close(self):
        """Ends the browser with its helper processes, which write into its folder until then."""
        atexit.unregister(self.close)
        self.session = None
        try:
            self.call("Browser.close")
        except (EOFError, OSError):
            pass
        self.process.wait()
        while self.is_running():
            time.sleep(0.05)
