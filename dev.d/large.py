"""Reads each list of the site of ./dev large, and prints its times and the rows that its queries have read."""

import json
import os
import re
import socket
import sys
import time
import urllib.request
from pathlib import Path

API = "http://" + os.environ["GUILDHALL_API_LISTEN"]
LOG = Path(os.environ["LARGE_STACK"], "postgres.log")
PASSWORDS = {line.split()[0]: line.split()[1:3] for line in os.environ["LARGE_CREDENTIALS"].splitlines()}
LIMIT = 20
LAST_NUMBERED = 10_000 // LIMIT

# The role of the caller, the path with its page and limit, and the body of a POST.
LISTS = [
    (None, "/guilds/{page}/{limit}", None),
    (None, "/guild/players-without-guild?page={page}&limit={limit}", None),
    (None, "/guild/players-without-guild?page={page}&limit={limit}&search=large", None),
    ("player", "/guild/invites?page={page}&limit={limit}", {}),
    ("player", "/accounts/characters?page={page}&limit={limit}", None),
    (None, "/news/list/{page}/{limit}", None),
    (None, "/news/list/{page}/{limit}?body=true", None),
    ("editor", "/news/listDashboard/{page}/{limit}", None),
    (None, "/shop/category/list?page={page}&limit={limit}", None),
    (None, "/shop/item/list?page={page}&limit={limit}", None),
    (None, "/shop/offers?page={page}&limit={limit}", None),
    (None, "/shop/offers?page={page}&limit={limit}&category_id=1", None),
    (None, "/payments/packages?page={page}&limit={limit}", None),
    ("player", "/shop/purchases/{page}/{limit}", None),
    ("player", "/payments/list/{page}/{limit}", None),
    ("player", "/accounts/coins/{page}/{limit}", None),
    ("admin", "/admin/payments?page={page}&limit={limit}", None),
    ("admin", "/admin/payments?page={page}&limit={limit}&account_id=1", None),
    *(
        ("admin", f"/admin/payments?page={{page}}&limit={{limit}}&status={status}", None)
        for status in ("created", "pending", "expired", "paid", "cancelled", "review", "refunded")
    ),
    ("admin", "/admin/deliveries?page={page}&limit={limit}", None),
    *(
        ("admin", f"/admin/deliveries?page={{page}}&limit={{limit}}&state={state}", None)
        for state in ("open", "delivered", "parked")
    ),
    ("admin", "/admin/notifications?page={page}&limit={limit}", None),
    *(
        ("admin", f"/admin/notifications?page={{page}}&limit={{limit}}&state={state}", None)
        for state in ("open", "settled", "parked")
    ),
    ("admin", "/admin/audit?page={page}&limit={limit}", None),
    ("admin", "/admin/mails?page={page}&limit={limit}", None),
    *(
        ("admin", f"/admin/mails?page={{page}}&limit={{limit}}&state={state}", None)
        for state in ("waiting", "sent", "parked", "discarded")
    ),
    ("admin", "/admin/game-servers?page={page}&limit={limit}", None),
]


def request(path, token=None, body=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(API + path, data, headers), timeout=60) as response:
        return json.load(response)


def log_in(role):
    name, password = PASSWORDS[role]
    return request("/auth", body={"login": name, "password": password})["access_token"]


def clear_cache():
    """Removes all cached responses, so that the next read comes from Postgres."""
    with socket.create_connection(("127.0.0.1", int(os.environ["DEV_REDIS_PORT"]))) as redis:
        redis.sendall(f"AUTH {os.environ['DEV_PASSWORD']}\r\nFLUSHALL\r\nQUIT\r\n".encode())
        while redis.recv(1000):
            pass


def rows_read(node):
    """Rows and index entries. A search that found none counts as one."""
    rows = sum(node.get(name, 0) for name in ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck"))
    own = max(rows, 1) * node.get("Actual Loops", 0) if "Relation Name" in node or "Index Name" in node else 0
    return own + sum(rows_read(child) for child in node.get("Plans", []))


def plans_since(offset):
    """The plans of a list's queries in the log of Postgres after this place."""
    with LOG.open("rb") as log:
        log.seek(offset)
        text = log.read().decode(errors="replace")
    reports = re.findall(r"plan:\n((?:\t.*\n)+)", text)
    plans = []
    for report in reports:
        try:
            plans.append(json.loads(re.sub(r"(?m)^\t", "", report)))
        except ValueError:  # it is not written completely yet
            continue
    return [plan for plan in plans if " limit $" in plan["Query Text"]]


def measure(path, token, body, is_counted):
    clear_cache()
    offset = LOG.stat().st_size
    started = time.monotonic()
    page = request(path, token, body)
    milliseconds = (time.monotonic() - started) * 1000
    for _ in range(100):
        plans = plans_since(offset)
        if len(plans) > is_counted:
            break
        time.sleep(0.05)
    else:
        sys.exit(f"Postgres has not reported the plans of {path}")
    return page, milliseconds, int(sum(rows_read(plan["Plan"]) for plan in plans))


def main():
    tokens = {role: log_in(role) for role in ("player", "editor", "admin")} | {None: None}
    print(f"{'milliseconds':>12} {'rows read':>10}  request")
    for role, template, body in LISTS:
        first = template.format(page=1, limit=LIMIT)
        last = template.format(page=LAST_NUMBERED, limit=LIMIT)
        page, *figures = measure(first, tokens[role], body, True)
        print("{:>12.1f} {:>10}  {}".format(*figures, first))
        print("{:>12.1f} {:>10}  {}".format(*measure(last, tokens[role], body, True)[1:], last))
        if "next" in page:
            after = f"{first}{'&' if '?' in first else '?'}after={page['next']}"
            print("{:>12.1f} {:>10}  {}".format(*measure(after, tokens[role], body, False)[1:], after))


if __name__ == "__main__":
    main()
