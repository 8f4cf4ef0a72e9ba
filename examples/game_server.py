#!/usr/bin/env python3
"""A game server that fetches what players have bought on the site, and gives it to their characters.

It asks for deliveries, and waits at the site until there are some. It gives each one to its character, acknowledges
those that it gave, and refuses the others with the reason, which the buyer can read. What it refuses comes again after
a pause, until the site has tried often enough and leaves it to an administrator.

Each delivery is given once, whatever breaks. Its id stays the same for ever; the gift and the note of its id are
written in one transaction, and only then is it acknowledged. A delivery that comes again, because the acknowledgement
was lost, is acknowledged and not given. So keep the store as safe as the game's own data, and give all servers of one
world the same store.

The depots of this example are a table in the store. A game whose depots are elsewhere replaces World.give; what counts
is that the note of the id cannot be lost where the gift is kept.

Needs Python 3.9 and nothing else. Make a token with: guildhall-workers service-token create NAME"""

import argparse
import http.client
import json
import logging
import os
import random
import sqlite3
import time
import urllib.error
import urllib.request

LIMIT = 50  # deliveries at a time; the site allows 100
WAIT = 20  # seconds to wait at the site for something to give
LEASE = 60  # seconds for which nobody else is given a delivery
LONGEST_PAUSE = 60  # seconds between two attempts, unless the site asks for more

log = logging.getLogger("game-server")


class CannotGive(Exception):
    """Why something cannot be given now: one line, for the buyer to read."""


class World:
    """The characters' depots, and which deliveries are in them."""

    def __init__(self, path, characters):
        self.characters = characters  # none: every name is known
        self.store = sqlite3.connect(path)
        self.store.execute("pragma synchronous = full")  # a note that a power cut takes back is no note
        self.store.execute("create table if not exists given (delivery_id text primary key, given_at real not null)")
        self.store.execute(
            "create table if not exists depots (character text, kind text, id text, count integer not null,"
            " primary key (character, kind, id))"
        )

    def give(self, delivery):
        """Gives it, unless that was done before; answers whether it was new."""
        with self.store:  # one transaction
            note = (delivery["delivery_id"], time.time())
            if self.store.execute("insert or ignore into given values (?, ?)", note).rowcount == 0:
                return False
            name = delivery["character_name"]
            if self.characters and name.lower() not in self.characters:
                raise CannotGive(f"There is no character {name} in this world.")  # takes the note back
            for grant in delivery["grants"]:
                self.store.execute(
                    "insert into depots values (?, ?, ?, ?)"
                    " on conflict (character, kind, id) do update set count = count + excluded.count",
                    (name, grant["kind"], grant["id"], grant["count"] * delivery["quantity"]),
                )
        return True


class Site:
    """The site's API. A call ends when it is answered: an outage is waited out."""

    def __init__(self, url, token):
        self.url, self.token = url.rstrip("/"), token
        self.asked_at = 0.0  # when the last attempt began, by the monotonic clock

    def call(self, method, path, body=None):
        attempt = 0
        while True:
            try:
                return self.attempt(method, path, body)
            except urllib.error.HTTPError as error:
                with error:
                    why = f"{error.code} {error.read(500).decode(errors='replace')}"
                if error.code < 500 and error.code not in (408, 429):
                    raise SystemExit(f"the site refuses {method} {path}: {why}")
                asked = error.headers.get("Retry-After", "")
                least = int(asked) if asked.isdigit() else 0
            except (OSError, http.client.HTTPException, ValueError) as error:  # nobody there, too late, no JSON
                why, least = error, 0
            attempt = min(attempt + 1, 10)
            # Jitter, so that many servers do not come back all at once.
            pause = max(least, random.uniform(0.5, 1) * min(2**attempt / 2, LONGEST_PAUSE))
            log.warning("%s %s: %s; again in %.1f s", method, path, why, pause)
            time.sleep(pause)

    def attempt(self, method, path, body):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        self.asked_at = time.monotonic()
        with urllib.request.urlopen(request, timeout=WAIT + 15) as response:
            return json.load(response)


def serve(site, world, once):
    while True:
        wait = 0 if once else WAIT
        leased = site.call("GET", f"/game/deliveries?limit={LIMIT}&wait={wait}&lease={LEASE}")["items"]
        if once and not leased:
            return
        given, refused = [], []
        for delivery in leased:
            if time.monotonic() > site.asked_at + LEASE:
                break  # the rest may be in other hands; it comes again
            what = f"{delivery['quantity']} x {delivery['offer_name']} to {delivery['character_name']}"
            try:
                new = world.give(delivery)
                given.append(delivery["delivery_id"])
                log.info("%s %s (%s)", "gave" if new else "had given", what, delivery["delivery_id"])
            except CannotGive as why:
                refused.append({"delivery_id": delivery["delivery_id"], "attempt": delivery["attempt"], "reason": str(why)[:200]})
                log.warning("cannot give %s (%s): %s", what, delivery["delivery_id"], why)
        if given:
            site.call("POST", "/game/deliveries/ack", {"delivery_ids": given})
        if refused:
            site.call("POST", "/game/deliveries/nack", {"deliveries": refused})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    url = os.environ.get("GUILDHALL_URL", "http://127.0.0.1:8080")
    parser.add_argument("--url", default=url, help="the site (GUILDHALL_URL; %(default)s)")
    token = os.environ.get("GUILDHALL_TOKEN")
    parser.add_argument("--token", default=token, help="the service token; better as GUILDHALL_TOKEN, which no ps shows")
    store = "game_server.sqlite"
    parser.add_argument("--store", default=store, help="the file of depots and ids of deliveries (%(default)s)")
    parser.add_argument("--character", action="append", default=[], metavar="NAME",
                        help="a character of this world; may be repeated; without it every name is known")
    parser.add_argument("--once", action="store_true", help="give what is due now, then end")
    options = parser.parse_args()
    if not options.token:
        parser.error("set GUILDHALL_TOKEN, or give --token")
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    world = World(options.store, {name.lower() for name in options.character})
    try:
        serve(Site(options.url, options.token), world, options.once)
    except KeyboardInterrupt:
        log.info("stopped; what is not acknowledged comes again")


if __name__ == "__main__":
    main()
