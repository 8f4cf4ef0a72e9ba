#!/usr/bin/env python3
"""Tells the site of money that came to the community's own account, or left it: one signed notification.

For the payments that no bank's API tells of (the provider "manual"): a program that reads the account's statement
calls this for each entry. The reference is the one of the payment's QR code, 25 digits and capital letters.

It may be repeated until it succeeds: the notification has the same id each time, and counts once. So is a mistake
corrected that the site has parked, a wrong reference for one. What is in the books already is never changed.

Signed by the rules of Standard Webhooks 1.0. The secret, GUILDHALL_BRIDGE_SECRET, is one of the api's
GUILDHALL_WEBHOOK_SECRETS."""

import argparse
import base64
import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.request


def arguments():
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    url = "http://127.0.0.1:8080/payments/instant/webhook"
    parser.add_argument("--url", default=url, help="the site's webhook (%(default)s)")
    parser.add_argument("--at", default=now, help="when it happened, by the statement (now)")
    what = parser.add_subparsers(dest="what", required=True)
    for name in ("received", "returned"):
        entry = what.add_parser(name)
        entry.add_argument("reference", help="of the payment")
        entry.add_argument("end_to_end_id", help="the network's or the bank's own name of the transfer that came")
        entry.add_argument("amount", help="25.00")
        entry.add_argument("currency", help="THB")
        if name == "returned":
            entry.add_argument("refund_id", help="the bank's own name of the transfer back")
            entry.add_argument("--reversal", action="store_true", help="the scheme took it, nobody here sent it")
            entry.add_argument("--reason", default="", help="for whoever asks later")
    return parser.parse_args()


def main():
    options = vars(arguments())
    url, what, at = (options.pop(name) for name in ("url", "what", "at"))
    secret = os.environ.get("GUILDHALL_BRIDGE_SECRET", "")
    if not secret.startswith("whsec_"):
        raise SystemExit("set GUILDHALL_BRIDGE_SECRET to whsec_ and base64")
    data = {**options, f"{what}_at": at}
    body = json.dumps({"type": f"payment.{what}", "data": data}).encode()
    about = [what, data["end_to_end_id"], data.get("refund_id")]
    message_id, timestamp = "_".join(filter(None, about)), str(int(time.time()))
    signed = f"{message_id}.{timestamp}.".encode() + body
    mac = hmac.new(base64.b64decode(secret[len("whsec_"):]), signed, hashlib.sha256)
    headers = {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": "v1," + base64.b64encode(mac.digest()).decode(),
    }
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=15) as response:
            print(response.read().decode())
    except urllib.error.HTTPError as error:
        raise SystemExit(f"not taken: {error.code} {error.read().decode(errors='replace')}")
    except OSError as error:
        raise SystemExit(f"not told: {error}; run it again")


if __name__ == "__main__":
    main()
