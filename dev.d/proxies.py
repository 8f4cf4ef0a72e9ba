#!/usr/bin/env python3
"""Checks of a proxy in front of the site. ./dev deploy calls it for each proxy of deploy/.

    dev.d/proxies.py NAME PORT

It prints a line per check and stops at the first error. The environment has the folder of the certificates (PROXY_TLS), the
accounts of the site (PROXY_CREDENTIALS) and the address of the fake bank (PROXY_BANK).
"""
import base64
import http.client
import json
import os
import re
import socket
import ssl
import sys
import threading
import time
import urllib.request

NAME, PORT = sys.argv[1], int(sys.argv[2])
TLS = os.environ["PROXY_TLS"]
CREDENTIALS = {role: (name, secret) for role, name, secret in map(str.split, open(os.environ["PROXY_CREDENTIALS"]))}
SITE, PAGES, BANK = "localhost", "www.example.org", "pix.example.org"
WEBHOOK = "/payments/instant/webhook/pix"
# Longer than each time limit of a slow request, shorter than each one of an idle response.
QUIET_SECONDS = 20
POLL_SECONDS = 30


def check(condition, text, found=""):
    if not condition:
        sys.exit(f"{NAME}: NOT {text}. Found: {found}")
    print(f"ok: {NAME}: {text}", flush=True)


class Connection(http.client.HTTPSConnection):
    """A connection to the proxy. `name` is the name in the TLS handshake, `source` the address of the client."""

    def __init__(self, name=SITE, source="127.0.0.1", certificate=None, protocols=("http/1.1",)):
        context = ssl.create_default_context(cafile=f"{TLS}/site-authority.pem")
        context.set_alpn_protocols(protocols)
        if certificate:
            context.load_cert_chain(f"{TLS}/{certificate}-with-key.pem")
        super().__init__(name, PORT, timeout=120, context=context)
        self.source = source

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", PORT), self.timeout, (self.source, 0))
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)

    def exchange(self, method, path, body=None, headers={}):
        """Sends a request and returns the status and the text of the response."""
        if isinstance(body, dict):
            body, headers = json.dumps(body), {"Content-Type": "application/json"} | headers
        self.request(method, path, body, headers)
        response = self.getresponse()
        return response.status, response.read().decode()


def log_in(role):
    name, secret = CREDENTIALS[role]
    status, text = Connection().exchange("POST", "/auth", {"login": name, "password": secret})
    assert status == 200, text
    return {"Authorization": "Bearer " + json.loads(text)["access_token"]}


def check_protocol():
    connection = Connection(protocols=("h2", "http/1.1"))
    connection.connect()
    check(connection.sock.selected_alpn_protocol() == "h2", "it offers HTTP/2 to clients")


def check_internal_paths():
    for path in ("/metrics", "/healthz", "/readyz"):
        status, _ = Connection().exchange("GET", path)
        check(status in (403, 404), f"{path} is not reachable", status)
    for path in ("//metrics", "/./metrics", "/x/../metrics", "/%6detrics", "/metrics?x", "/metrics/", "/METRICS", "/metrics%00", "/metrics;x"):
        status, text = Connection().exchange("GET", path)
        check("guildhall_" not in text, f"{path} shows no metrics", status)


def check_client_address(octet):
    """The api of this check accepts one registration per hour and address."""
    sources = [f"127.0.{octet}.{host}" for host in (1, 2)]

    def register(source, forged, name):
        account = {"name": name, "email": f"{name}@example.org", "password": "a password of a test"}
        headers = {"X-Forwarded-For": forged, "Forwarded": f"for={forged}"}
        return Connection(source=source).exchange("POST", "/accounts/register", account, headers)[0]

    statuses = [
        register(sources[0], "198.51.100.1", f"{NAME}one"),
        register(sources[0], "198.51.100.2", f"{NAME}two"),
        register(sources[1], "198.51.100.1", f"{NAME}three"),
    ]
    check(statuses == [201, 429, 201], "the api knows the client's address, and ignores a forged one", statuses)


def check_pages():
    """The pages of the site, and the API on their origin. HAProxy serves no files."""
    index = page("/")
    check(index["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self';"), "pages have their policy")
    check(index["Cache-Control"] == "no-cache", "a browser asks whether index.html has changed", index["Cache-Control"])
    check(page("/guilds/Amber%20Circle")["text"] == index["text"], "an address without a file is a page of the application")
    preview = page("/guilds/Amber%20Circle", {"User-Agent": "Mozilla/5.0 (compatible; Discordbot/2.0)"})["text"]
    check('property="og:title" content="Amber Circle"' in preview, "a program that shows link previews gets the one of a guild", preview)
    script = re.search(r'src="(/assets/[^"]+\.js)"', index["text"])[1]
    cached = page(script)["Cache-Control"]
    check("max-age=31" in cached, "a file with a hash in its name stays in the caches of browsers", cached)
    status, _ = Connection(PAGES).exchange("GET", "/assets/missing.js")
    check(status == 404, "a missing file is not replaced by a page", status)
    picture = page("/pictures/proxies.svg")
    found = (picture["Content-Type"], picture["Cache-Control"])
    check(found == ("image/svg+xml", "max-age=3600"), "a picture for posts stays in the caches of browsers for an hour", found)
    status, _ = Connection(PAGES).exchange("GET", "/pictures/missing.svg")
    check(status == 404, "a missing picture is not replaced by a page", status)
    status, text = Connection(PAGES).exchange("GET", "/api/guilds/1/1")
    check(status == 200 and "items" in text, "the API is below /api/", text)
    for path in ("/api/metrics", "/api//metrics", "/api/./metrics", "/api/healthz", "/api/%6detrics"):
        status, text = Connection(PAGES).exchange("GET", path)
        check("guildhall_" not in text and status != 200, f"{path} is not reachable", status)


def page(path, headers={}):
    connection = Connection(PAGES)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    assert response.status == 200, (path, response.status)
    return dict(response.headers) | {"text": response.read().decode()}


def check_body():
    editor, text = log_in("editor"), "x" * 30_000
    status, answer = Connection().exchange("POST", "/news/create", {"title": f"From {NAME}", "body": text}, editor)
    check(status == 201, "a body of 30 KB arrives", answer)
    logo = {"guild_id": 1, "image": base64.b64encode(bytes(2**20)).decode()}
    status, answer = Connection().exchange("POST", "/guild/change-logo", logo, log_in("player"))
    check("request_id" in answer and status != 413, "a logo of 1 MiB arrives", (status, answer))
    status, _ = Connection().exchange("POST", "/news/create", {"title": "Long", "body": "x" * 1_500_000}, editor)
    check(status == 413, "a body of 1.5 MB is refused", status)


def check_webhook():
    empty, forged = {"pix": []}, {"X-Client-Verify": "SUCCESS"}
    secret = "?secret=" + os.environ["GUILDHALL_PIX_WEBHOOK_SECRET"]
    status, _ = Connection(BANK, certificate="bank").exchange("POST", WEBHOOK + secret, empty)
    check(status == 200, "a notification with the bank's certificate is accepted", status)
    status, _ = Connection(BANK, certificate="bank").exchange("GET", "/guilds/1/1")
    check(status in (403, 404), "the bank's name serves only the webhook", status)
    status, _ = Connection().exchange("POST", WEBHOOK + secret, empty, forged)
    check(status == 401, "a forged header with the result of the verification is removed", status)
    for certificate, text in ((None, "without a certificate"), ("stranger", "with the certificate of a stranger")):
        check(is_refused(BANK, certificate, secret, forged), f"a notification {text} is refused")
    check(is_refused(SITE, None, secret, forged | {"Host": BANK}), "the bank's name in the Host header alone is refused")


def is_refused(name, certificate, secret, headers):
    try:
        status, _ = Connection(name, certificate=certificate).exchange("POST", WEBHOOK + secret, {"pix": []}, headers)
    except (ssl.SSLError, ConnectionError, http.client.RemoteDisconnected):
        return True
    return 400 <= status < 500


def check_payment():
    """The stream is quiet for a while before the bank's notification comes through the proxy."""
    player = log_in("player")
    status, text = Connection().exchange("POST", "/payments/instant/qrcode", {"package_id": 1}, player)
    assert status == 201, text
    payment = json.loads(text)["result"]
    stream = Connection()
    stream.request("GET", f"/payments/{payment['payment_id']}/events", headers=player)
    response = stream.getresponse()
    events = []
    reader = threading.Thread(target=read_events, args=(response, events), daemon=True)
    reader.start()
    time.sleep(QUIET_SECONDS)
    check(reader.is_alive() and response.status == 200, f"an event stream stays open for {QUIET_SECONDS} s")
    comments = [line for _, line in events if line.startswith(":")]
    check(len(comments) >= 2, "the comments of the stream arrive meanwhile, so it is not buffered", events)
    body = json.dumps({"payload": payment["payload"]}).encode()
    request = urllib.request.Request(os.environ["PROXY_BANK"] + "/sandbox/pay", body, {"Content-Type": "application/json"})
    paid_at = time.monotonic()
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30).read()
    reader.join(60)
    paid = [moment for moment, line in events if line == "event: paid"]
    check(paid, "the event stream reports the payment", [line for _, line in events])
    check(paid[0] - paid_at < 10, f"it reports the payment {paid[0] - paid_at:.2f} s after the payer has paid")


def read_events(response, events):
    for line in response:
        events.append((time.monotonic(), line.decode().strip()))
        if events[-1][1].startswith("event: paid"):
            return


def poll(results):
    """A long poll without a delivery. It lasts as long as the api allows."""
    start = time.monotonic()
    headers = {"Authorization": "Bearer " + CREDENTIALS["game"][1]}
    status, text = Connection().exchange("GET", f"/game/deliveries?wait={POLL_SECONDS}", None, headers)
    results.append((status, time.monotonic() - start, text))


def main():
    results = []
    poller = threading.Thread(target=poll, args=(results,), daemon=True)
    poller.start()
    check_protocol()
    check_internal_paths()
    check_client_address({"nginx": 1, "caddy": 2, "haproxy": 3}[NAME])
    if NAME != "haproxy":
        check_pages()
    check_body()
    check_webhook()
    check_payment()
    poller.join(60)
    check(results and results[0][0] == 200 and results[0][1] >= POLL_SECONDS - 1, f"a long poll of {POLL_SECONDS} s is answered", results)


main()
