"""What the OpenAPI 3.0 document cannot say in a way that schemathesis reads: see schemathesis.toml."""

import os
from uuid import uuid4

import schemathesis
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation

KEY = "Idempotency-Key"
# Bodies that name something by exactly one of two fields, and what to name when neither is there.
# As `oneOf` it would have no readable type in the SDKs.
ONE_OF = (("character_id", "character_name", "Mira Stormborn"), ("package_id", "coins", 100))


def is_valid(case, location):
    component = case.meta and case.meta.components.get(location)
    return not component or component.mode is GenerationMode.POSITIVE


@schemathesis.hook
def before_call(context, case, kwargs):
    # Within a phase schemathesis sends the same key with one request after the other, and all but the first would
    # be refused (422) before anything else of them was looked at. Keys that are to be refused stay.
    if KEY in case.headers and is_valid(case, ParameterLocation.HEADER):
        case.headers[KEY] = str(uuid4())
    if case.operation.path.startswith("/payments/instant/webhook"):
        case.query = {**(case.query or {}), "secret": os.environ["DEV_WEBHOOK_SECRET"]}
    # A long poll answers what there is as well without waiting for more; what is no number of seconds stays.
    if case.operation.path == "/game/deliveries" and str(case.query.get("wait", "")).isdecimal():
        if int(case.query["wait"]) <= 30:
            case.query["wait"] = 0
    body = case.body
    if isinstance(body, dict) and is_valid(case, ParameterLocation.BODY):
        one_of_two(case, body)
        money = body.get("amount")
        if isinstance(money, dict) and money.get("currency") == "VND":  # has no fraction
            money["amount"] = str(money["amount"]).split(".")[0]


def one_of_two(case, body):
    schema = str(case.operation.body[0].raw_schema)
    for first, second, usual in ONE_OF:
        if f"'{first}':" not in schema or f"'{second}':" not in schema:
            continue
        given = [name for name in (first, second) if body.get(name) is not None]
        if not given:
            body[second] = usual
        elif len(given) == 2:
            del body[given[ord(case.id[-1]) % 2]]
