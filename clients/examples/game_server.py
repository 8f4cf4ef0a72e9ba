#!/usr/bin/env python3
"""A game server that fetches purchases from the site and gives them to characters.

The script waits at the site for deliveries. It gives each delivery to its character and acknowledges it. It refuses a
delivery that it cannot give, with a reason that the buyer can read. The site sends a refused delivery again after a
delay. After too many refusals, the site parks the delivery for an administrator. A temporary refusal does not count:
raise NotNow if the reason passes by itself.

Each delivery is given exactly once, even after a crash. The id of a delivery never changes. One transaction stores
the gift and the id; only then does the script acknowledge the delivery. If the acknowledgement is lost, the delivery
comes again: the script finds its id, acknowledges it and gives nothing. Keep the store as safe as the game's own
data. All servers of one world must share one store.

In this example, the depots are a table in the store. A game with depots elsewhere replaces World.give. The id must
be stored together with the gift, so that neither can be lost alone.

Never write the depot of a character that is online into the game's database. The game has a copy of it in memory and
overwrites the depot when it saves the character: the gift is lost, although the site shows it as delivered. Here the
game keeps the names of the characters that are online in the table "online".

Requires Python 3.9 and no packages. Create a token with: guildhall-workers service-token create NAME"""

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

LIMIT = 50  # deliveries per request; the site allows 100
WAIT = 20  # seconds that the site waits for a delivery before it responds
LEASE = 60  # seconds during which no other server gets a leased delivery
MAX_DELAY = 60  # seconds between two attempts, unless the site requests a longer delay

log = logging.getLogger("game-server")


class CannotGive(Exception):
    """The reason why a delivery cannot be given now, in one line for the buyer."""


class NotNow(CannotGive):
    """A reason that passes by itself. The site sends the delivery again after a minute, as often as needed."""


class World:
    """The depots of the characters, and the ids of the deliveries in them."""

    def __init__(self, path, characters):
        self.characters = characters  # an empty set accepts every name
        self.store = sqlite3.connect(path)
        self.store.execute("pragma synchronous = full")  # a committed id must survive a power cut
        self.store.execute("create table if not exists given (delivery_id text primary key, given_at real not null)")
        self.store.execute(
            "create table if not exists depots (character text, kind text, id text, count integer not null,"
            " primary key (character, kind, id))"
        )
        # The names by the ids that this game reports to the site as game_character_id.
        self.store.execute("create table if not exists characters (id text primary key, name text not null)")
        self.store.execute("create table if not exists online (character text primary key collate nocase)")

    def name_of(self, delivery):
        """The name of the character in the game. The site's name may be an old one, or that of another character by now."""
        game_character_id = delivery.get("game_character_id")
        if game_character_id is None:
            return delivery["character_name"]
        row = self.store.execute("select name from characters where id = ?", (game_character_id,)).fetchone()
        if row is None:
            raise CannotGive(f"There is no character {game_character_id} in this world.")
        return row[0]

    def give(self, delivery):
        """Gives a delivery unless it was given before. Returns whether it is new."""
        with self.store:  # one transaction
            row = (delivery["delivery_id"], time.time())
            if self.store.execute("insert or ignore into given values (?, ?)", row).rowcount == 0:
                return False
            name = self.name_of(delivery)
            if self.characters and name.lower() not in self.characters:
                raise CannotGive(f"There is no character {name} in this world.")  # rolls the transaction back
            if self.store.execute("select 1 from online where character = ?", (name,)).fetchone():
                raise NotNow("The character is online. It gets the items after it has logged out.")
            for grant in delivery["grants"]:
                self.store.execute(
                    "insert into depots values (?, ?, ?, ?)"
                    " on conflict (character, kind, id) do update set count = count + excluded.count",
                    (name, grant["kind"], grant["id"], grant["count"] * delivery["quantity"]),
                )
        return True


class Site:
    """A client of the site's API. It retries each request until the site responds."""

    def __init__(self, url, token):
        self.url, self.token = url.rstrip("/"), token
        self.sent_at = 0.0  # the start of the last attempt, on the monotonic clock

    def request(self, method, path, body=None):
        attempt = 0
        while True:
            try:
                return self.send(method, path, body)
            except urllib.error.HTTPError as error:
                with error:
                    reason = f"{error.code} {error.read(500).decode(errors='replace')}"
                if error.code < 500 and error.code not in (408, 429):
                    raise SystemExit(f"request rejected: {method} {path}: {reason}")
                retry_after = error.headers.get("Retry-After", "")
                min_delay = int(retry_after) if retry_after.isdigit() else 0
            except (OSError, http.client.HTTPException, ValueError) as error:  # no connection, a timeout, or no JSON
                reason, min_delay = error, 0
            attempt = min(attempt + 1, 10)
            # The jitter keeps many servers from retrying at the same time.
            delay = max(min_delay, random.uniform(0.5, 1) * min(2**attempt / 2, MAX_DELAY))
            log.warning("request failed: %s %s: %s; retry in %.1f s", method, path, reason, delay)
            time.sleep(delay)

    def send(self, method, path, body):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        self.sent_at = time.monotonic()
        with urllib.request.urlopen(request, timeout=WAIT + 15) as response:
            return json.load(response)


def give_all(world, deliveries, lease_end):
    """Gives deliveries until the lease ends. Returns the ids of the given ones, and the refused ones."""
    given, refused = [], []
    for delivery in deliveries:
        if time.monotonic() > lease_end:
            break  # another server may hold the rest now; the site sends it again
        delivery_id = delivery["delivery_id"]
        label = f"{delivery['quantity']} x {delivery['offer_name']} to {delivery['character_name']} ({delivery_id})"
        try:
            is_new = world.give(delivery)
            given.append(delivery_id)
            log.info("%s: %s", "delivery given" if is_new else "delivery already given", label)
        except CannotGive as error:
            reason = str(error)[:200]
            refused.append({"delivery_id": delivery_id, "attempt": delivery["attempt"], "reason": reason,
                            "temporary": isinstance(error, NotNow)})
            log.warning("delivery refused: %s: %s", label, reason)
    return given, refused


def serve(site, world, once):
    wait = 0 if once else WAIT
    while True:
        leased = site.request("GET", f"/game/deliveries?limit={LIMIT}&wait={wait}&lease={LEASE}")["items"]
        if once and not leased:
            return
        given, refused = give_all(world, leased, site.sent_at + LEASE)
        if given:
            site.request("POST", "/game/deliveries/ack", {"delivery_ids": given})
        if refused:
            site.request("POST", "/game/deliveries/nack", {"deliveries": refused})


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    url = os.environ.get("GUILDHALL_URL", "http://127.0.0.1:8080")
    parser.add_argument("--url", default=url, help="the URL of the API (or GUILDHALL_URL; default: %(default)s)")
    parser.add_argument("--token", default=os.environ.get("GUILDHALL_TOKEN"),
                        help="the service token; GUILDHALL_TOKEN is safer, because ps shows arguments")
    parser.add_argument("--store", default="game_server.sqlite",
                        help="the file of depots and delivery ids (default: %(default)s)")
    parser.add_argument("--character", action="append", default=[], metavar="NAME",
                        help="a character of this world; repeatable; without it, every name is accepted")
    parser.add_argument("--once", action="store_true", help="give the deliveries that are due now, then exit")
    options = parser.parse_args()
    if not options.token:
        parser.error("the token is missing; set GUILDHALL_TOKEN or give --token")
    return options


def main():
    options = parse_arguments()
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    world = World(options.store, {name.lower() for name in options.character})
    try:
        serve(Site(options.url, options.token), world, options.once)
    except KeyboardInterrupt:
        log.info("stopped; the site sends unacknowledged deliveries again")


if __name__ == "__main__":
    main()
