# tests/report/browser.py: one headless Chromium; says what went wrong and what was asked for.
import base64
import json
import os
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

WAIT = 30  # only to end a hanging page; nothing here measures time


class Browser:
    def __init__(self, downloads):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage",
                         "--no-first-run", "--disable-background-networking"]:
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.add_argument("--hide-scrollbars")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.downloads = Path(downloads)
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.command("Page.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))

    def quit(self):
        self.driver.quit()

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def show_as(self, width=1600, scheme="light", media="screen"):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=900,
                     deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", media=media,
                     features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, path, width=1600, scheme="light"):
        """Opens a file and waits until its script is through and its charts are drawn."""
        self.show_as(width, scheme)
        self.driver.get("about:blank")
        for kind in ["browser", "performance"]:
            self.driver.get_log(kind)  # forgets what other pages did
        self.driver.get(Path(path).resolve().as_uri())
        self.wait(lambda: self.js("return document.documentElement.dataset.ready === 'yes' && "
                                  "[...document.querySelectorAll('svg.chart')].every(c => c.childElementCount)"))
        return self

    def wait(self, condition):
        end = time.monotonic() + WAIT
        while not condition():
            assert time.monotonic() < end, f"waited in vain; console: {self.complaints()}"
            time.sleep(0.02)

    def js(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        found = self.all(selector)
        assert len(found) == 1, (selector, len(found))
        return found[0]

    def texts(self, selector):
        """As the document holds them, shown or not."""
        return self.js("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def complaints(self):
        """What the console says: errors, warnings, refusals of the security policy."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses asked for since open()."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]

    def downloaded(self, click):
        """The file that comes when `click` is clicked."""
        for old in self.downloads.iterdir():
            old.unlink()
        click.click()
        done = lambda: [p for p in self.downloads.iterdir() if p.suffix == ".csv" and p.stat().st_size]  # noqa: E731
        self.wait(done)
        return done()[0]

    def screenshot(self, path, width=1600, scheme="light", height=None, part=None):
        """The whole page, however long, or a part of it."""
        self.show_as(width, scheme)
        time.sleep(0.3)  # for charts to be drawn at the new width
        clip = {"x": 0, "y": 0, "width": width,
                "height": height or self.command("Page.getLayoutMetrics")["cssContentSize"]["height"]}
        if part is not None:  # the card of this title
            clip = self.js("const box = [...document.querySelectorAll('h2')].find(h => h.textContent === arguments[0])"
                           ".closest('section').getBoundingClientRect();"
                           "return {x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height}", part)
        shot = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                            clip={**clip, "scale": 1})
        Path(path).write_bytes(base64.b64decode(shot["data"]))
