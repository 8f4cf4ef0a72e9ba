"""Kills, removes and restarts the containers of a site under load, and checks that no change is lost or applied twice.

    python3 dev.d/compose.py FOLDER     ./dev compose test runs it; FOLDER has the files `env` and `credentials`

An administrator gives one coin to a player, again and again, each time with a new Idempotency-Key. A request without a final
response is sent again with the same key. At the end the player has exactly as many coins more as there were requests.
"""
import concurrent.futures
import json
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

FOLDER = Path(sys.argv[1])
ENV = dict(line.split("=", 1) for line in (FOLDER / "env").read_text().splitlines())
PASSWORDS = {line.split()[1]: line.split()[2] for line in (FOLDER / "credentials").read_text().splitlines() if len(line.split()) == 3}
API = f"http://{ENV['GUILDHALL_API_LISTEN']}"
PAGES = f"http://127.0.0.1:{ENV['GUILDHALL_SITE_PORT']}"
CLIENTS = 8
KILLED = ["api", "workers", "rabbitmq", "postgres", "redis", "api workers", "postgres rabbitmq redis"]
# A request is repeated for this long. Containers start within a minute.
GIVE_UP_AFTER = 300


def call(method, path, body=None, token=None, key=None):
    """Sends a request once. Returns the status (None without a response) and the body."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if key:
        headers["Idempotency-Key"] = key
    request = urllib.request.Request(API + path, json.dumps(body).encode() if body else None, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=40) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError as error:
        return None, str(error)


def repeat(method, path, body=None, login=None, key=None):
    """Repeats a request until it has a final response, which must be a success."""
    started = time.monotonic()
    token = sessions.token(login) if login else None
    while True:
        status, response = call(method, path, body, token, key)
        if status in (200, 201):
            return response
        if status == 401:
            token = sessions.token(login, renew=token)
        elif status not in (None, 202, 429, 502, 503, 504):
            sys.exit(f"{method} {path}: {status} {response}")
        if time.monotonic() - started > GIVE_UP_AFTER:
            sys.exit(f"lost: {method} {path} has no response after {GIVE_UP_AFTER} s, the last is {status} {response}")
        time.sleep(0.2)


class Sessions:
    def __init__(self):
        self.lock, self.tokens = threading.Lock(), {}

    def token(self, login, renew=None):
        with self.lock:
            if self.tokens.get(login) in (None, renew):
                self.tokens[login] = repeat("POST", "/auth", {"login": login, "password": PASSWORDS[login]})["access_token"]
            return self.tokens[login]


def compose(*arguments):
    result = subprocess.run(["docker", "compose", *arguments], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"docker compose {' '.join(arguments)}: {result.stderr}")


def give_coins(player, stop):
    """Returns the number of requests, the last one with its operation."""
    count, last = 0, None
    while not stop.is_set():
        key = str(uuid.uuid4())
        body = {"account_id": player, "coins": 1, "reason": "a test of containers"}
        operation = repeat("POST", "/admin/coins/adjust", body, "admin", key)["operation_id"]
        count, last = count + 1, (body, key, operation)
    return count, last


def check(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found}, expected {expected}")
    print(f"  {what}: {found}", flush=True)


def check_client_address():
    """The container of the pages accepts the client's address from a proxy with TLS in front of it."""
    address, account = "198.51.100.7", {"login": "mira", "password": PASSWORDS["mira"]}
    headers = {"Content-Type": "application/json", "X-Forwarded-For": address}
    request = urllib.request.Request(f"{PAGES}/api/auth", json.dumps(account).encode(), headers)
    with urllib.request.urlopen(request, timeout=40) as response:
        token = json.load(response)["access_token"]
    newest = call("GET", "/accounts/sessions", token=token)[1]["sessions"][0]
    check("network of a client behind a proxy", newest["network"], address)


def check_picture():
    """The container of the pages serves the files of the folder `pictures`."""
    picture, file = Path("web/public/favicon.svg").read_bytes(), Path("pictures/compose-test.svg")
    file.write_bytes(picture)
    with urllib.request.urlopen(f"{PAGES}/pictures/{file.name}", timeout=40) as response:
        check("a picture for posts", response.read() == picture, True)
    file.unlink()


sessions = Sessions()
check_client_address()
check_picture()
player = repeat("GET", "/accounts/me", login="mira")
coins = player["coins"]
guilds = repeat("GET", "/guilds/1/1")["total"]
stop = threading.Event()
with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
    clients = [pool.submit(give_coins, player["account_id"], stop) for _ in range(CLIENTS)]
    for names in KILLED:
        time.sleep(3)
        started = time.monotonic()
        compose("kill", *names.split())
        compose("up", "--detach", "--wait", "--wait-timeout", "300")
        print(f"  killed {names}: all containers are healthy after {time.monotonic() - started:.0f} s", flush=True)
    time.sleep(3)
    compose("restart")
    stop.set()
    results = [client.result() for client in clients]
requests = sum(count for count, _ in results)
expected = coins + requests
check("requests", requests > 0, True)
check("coins", repeat("GET", "/accounts/me", login="mira")["coins"], expected)
compose("down")
compose("up", "--detach", "--wait", "--wait-timeout", "300")
check("coins after down and up", repeat("GET", "/accounts/me", login="mira")["coins"], expected)
check("guilds after down and up", repeat("GET", "/guilds/1/1")["total"], guilds)
body, key, operation = results[0][1]
check("a repeated request is recognised", repeat("POST", "/admin/coins/adjust", body, "admin", key)["operation_id"] == operation, True)
check("coins after the repeated request", repeat("GET", "/accounts/me", login="mira")["coins"], expected)
print(f"  {requests} requests: none lost, none applied twice")
