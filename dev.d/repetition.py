#!/usr/bin/env python3
"""Checks that a proxy never sends a POST twice. ./dev deploy calls it for each proxy of deploy/.

    dev.d/repetition.py NAME PORT API-PORT API-PORT

This program is two false apis. They answer GET, and close the connection after a POST without a response, as an api that is
killed does. The environment has the folder of the certificates (PROXY_TLS).
"""
import http.client
import http.server
import os
import ssl
import sys
import threading
import time

NAME, PORT, *API_PORTS = sys.argv[1], *map(int, sys.argv[2:])
REQUESTS = 10
received = []


class FalseApi(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        received.append(self.headers["Idempotency-Key"])
        self.close_connection = True

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        """A health check may close its connection first."""


def status(method, key=None):
    context = ssl.create_default_context(cafile=os.environ["PROXY_TLS"] + "/site-authority.pem")
    connection = http.client.HTTPSConnection("localhost", PORT, timeout=60, context=context)
    connection.request(method, "/guilds/1/1", "{}" if key else None, {"Idempotency-Key": key} if key else {})
    return connection.getresponse().status


def wait_for_both():
    """Until the proxy has noticed that both apis respond."""
    deadline = time.monotonic() + 60
    while [status("GET") for _ in range(4)] != [200] * 4:
        if time.monotonic() > deadline:
            sys.exit(f"{NAME}: the proxy does not reach the false apis")
        time.sleep(0.5)
    time.sleep(2)


def main():
    for port in API_PORTS:
        server = Server(("127.0.0.1", port), FalseApi)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    wait_for_both()
    statuses = {status("POST", str(number)) for number in range(REQUESTS)}
    twice = sorted({key for key in received if received.count(key) > 1})
    if twice or len(received) < 2 or not statuses <= {502, 503, 504}:
        sys.exit(f"{NAME}: NOT each POST is sent once. Statuses: {statuses}, received: {received}")
    print(f"ok: {NAME}: no POST is repeated after a broken connection ({len(received)} of {REQUESTS} reached an api)")


main()
