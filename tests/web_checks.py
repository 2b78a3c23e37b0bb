"""What is checked of every page: that everyone can use it, and how much it loads."""

from axe_playwright_python.sync_playwright import Axe

SERIOUS = ("serious", "critical")


def barriers(page):
    """What axe's rules find serious: the rule, what is wrong, and where."""
    found = Axe().run(page).response["violations"]
    return [
        (rule["id"], rule["help"], [node["html"][:160] for node in rule["nodes"]])
        for rule in found
        if rule["impact"] in SERIOUS
    ]


def overflow(page):
    """By how many pixels the page is wider than the window."""
    return page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )


class Transfer:
    """Counts the bytes that a page receives, as they are sent, headers included."""

    def __init__(self, page):
        self.bytes = 0
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", self._count)

    def _count(self, event):
        self.bytes += event["encodedDataLength"]
