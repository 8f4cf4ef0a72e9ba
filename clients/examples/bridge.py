#!/usr/bin/env python3
"""Notifies the site of a transfer on the community's own bank account.

This is for bank accounts without an API (the provider "manual"). A program that reads the account statement calls
this script for each entry. The reference is in the payment's QR code: 25 digits and capital letters.

The id of a transfer must be the bank's unique booking reference. The end-to-end id of SEPA is not unique: the payer's bank may send
NOTPROVIDED, or the same text each month.

Repeat a failed call until it succeeds. Each call for one transfer has the same id, so the site counts it once. If the
site has parked a notification, for example because of a wrong reference, a corrected call replaces it. A transfer
that the site has recorded never changes.

Notifications are signed as Standard Webhooks 1.0 requires. The secret is GUILDHALL_BRIDGE_SECRET. It must be one of
the api's GUILDHALL_WEBHOOK_SECRETS."""

import argparse
import base64
import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.request

DEFAULT_API = "http://127.0.0.1:8080"
WEBHOOK = "/payments/instant/webhook"
TIMEOUT = 15  # seconds


def unique_id(text):
    """Refuses what bank statements have in place of a missing id. The site refuses it, too."""
    letters = "".join(filter(str.isalnum, text)).upper()
    if letters.strip("0") in ("", "NOTPROVIDED", "NOTAVAILABLE", "NONREF", "NOREF", "NONE", "NULL", "NA", "UNKNOWN"):
        raise argparse.ArgumentTypeError(f"{text} does not identify a transfer; use the bank's unique booking reference")
    return text


def parse_arguments():
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    url = os.environ.get("GUILDHALL_URL", DEFAULT_API).rstrip("/") + WEBHOOK
    parser.add_argument("--url", default=url,
                        help=f"the URL of the webhook (default: %(default)s; GUILDHALL_URL and {WEBHOOK})")
    parser.add_argument("--at", default=now, help="the time of the transfer in the account statement (default: now)")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in (("received", "a payment arrived"), ("returned", "a payment was sent back")):
        command = commands.add_parser(name, help=text)
        command.add_argument("reference", help="the reference of the payment")
        command.add_argument("end_to_end_id", type=unique_id,
                             help="the unique id of the incoming transfer: the bank's booking reference")
        command.add_argument("amount", help="the amount, such as 25.00")
        command.add_argument("currency", help="the currency, such as THB")
        if name == "returned":
            command.add_argument("refund_id", type=unique_id,
                                 help="the unique id of the outgoing transfer: the bank's booking reference")
            command.add_argument("--reversal", action="store_true",
                                 help="the payment scheme took the money back; the community did not send it")
            command.add_argument("--reason", default="", help="the reason, stored for later questions")
    return parser.parse_args()


def build_request(url, command, data, secret):
    """Returns the signed notification. Its id depends only on the transfer."""
    body = json.dumps({"type": f"payment.{command}", "data": data}).encode()
    ids = [command, data["end_to_end_id"], data.get("refund_id")]
    message_id, timestamp = "_".join(filter(None, ids)), str(int(time.time()))
    signed_content = f"{message_id}.{timestamp}.".encode() + body
    mac = hmac.new(base64.b64decode(secret[len("whsec_"):]), signed_content, hashlib.sha256)
    headers = {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": "v1," + base64.b64encode(mac.digest()).decode(),
    }
    return urllib.request.Request(url, body, headers)


def main():
    options = vars(parse_arguments())
    url, command, at = (options.pop(name) for name in ("url", "command", "at"))
    secret = os.environ.get("GUILDHALL_BRIDGE_SECRET", "")
    if not secret.startswith("whsec_"):
        raise SystemExit("GUILDHALL_BRIDGE_SECRET is missing or invalid; set it to whsec_ followed by base64")
    request = build_request(url, command, {**options, f"{command}_at": at}, secret)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            print(response.read().decode())
    except urllib.error.HTTPError as error:
        raise SystemExit(f"notification rejected: {error.code} {error.read().decode(errors='replace')}")
    except OSError as error:
        raise SystemExit(f"notification not delivered: {error}; run the command again")


if __name__ == "__main__":
    main()
