"""Rules that an OpenAPI 3.0 document cannot express for schemathesis. See schemathesis.toml."""

import os
from uuid import uuid4

import schemathesis
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation

KEY = "Idempotency-Key"
# Bodies that need exactly one of two fields, and the value of the second field if both are missing.
# With `oneOf` in the document, the SDKs would have no readable type for them.
EXCLUSIVE_FIELDS = (("character_id", "character_name", "Mira Stormborn"), ("package_id", "coins", 100))

NEW_PASSWORD_PATHS = ("/accounts/register", "/accounts/change-password", "/accounts/reset-password")


def is_valid(case, location):
    component = case.meta and case.meta.components.get(location)
    return not component or component.mode is GenerationMode.POSITIVE


@schemathesis.hook
def filter_body(context, body):
    """For the API, null means a missing field. In the document it is invalid."""
    return not has_null(body)


def has_null(value):
    if isinstance(value, dict):
        return any(map(has_null, value.values()))
    return value is None or isinstance(value, list) and any(map(has_null, value))


@schemathesis.hook
def before_call(context, case, kwargs):
    # Schemathesis sends the same key with all requests of a phase. The API would refuse all but the first with 422
    # before it checks anything else. Invalid keys stay.
    if KEY in case.headers and is_valid(case, ParameterLocation.HEADER):
        case.headers[KEY] = str(uuid4())
    if case.operation.path.startswith("/payments/instant/webhook"):
        case.query = {**(case.query or {}), "secret": os.environ["DEV_WEBHOOK_SECRET"]}
    if case.operation.path.startswith("/auth/cookie"):
        case.headers["Origin"] = case.operation.base_url
    # A long poll also works without a wait. Values that are not a valid number of seconds stay.
    if case.operation.path == "/game/deliveries" and str(case.query.get("wait", "")).isdecimal():
        if int(case.query["wait"]) <= 30:
            case.query["wait"] = 0
    keep_valid_place(case)
    body = case.body
    if isinstance(body, dict) and is_valid(case, ParameterLocation.BODY):
        keep_one_of_exclusive_fields(case, body)
        keep_valid_stock(case.operation.path, body)
        keep_strong_password(case.operation.path, body)
        if case.operation.path.startswith("/admin/accounts/"):
            body["account_id"] = int(os.environ["SPARE_ACCOUNT"])  # the identities keep their roles and passwords
        money = body.get("amount")
        if isinstance(money, dict) and money.get("currency") == "VND":  # without decimals
            money["amount"] = str(money["amount"]).split(".")[0]


def keep_valid_place(case):
    """A cursor comes from a response, and numbered pages end after 10,000 items. Values that are not of the type stay."""
    if case.query and is_valid(case, ParameterLocation.QUERY):
        case.query.pop("after", None)
    for parameters, location in ((case.query, ParameterLocation.QUERY), (case.path_parameters, ParameterLocation.PATH)):
        page = str((parameters or {}).get("page", ""))
        if is_valid(case, location) and page.isdecimal() and int(page) > 100:
            parameters["page"] = 100
    # Posts with their text have smaller pages.
    limit = str((case.path_parameters or {}).get("limit", ""))
    is_text_wanted = str((case.query or {}).get("body", "")).lower() == "true"
    if is_text_wanted and limit.isdecimal() and is_valid(case, ParameterLocation.PATH):
        case.path_parameters["limit"] = min(int(limit), 20)


def keep_valid_stock(path, body):
    """A stock and the limit of an account are limited or not. A new stock that does not depend on the current one names it."""
    if path == "/shop/item/update":
        body["no_account_limit"] = body.get("account_limit") is None
    if path == "/shop/item/create":
        body["unlimited"] = body.get("stock") is None
    if path == "/shop/item/change-stock":
        given = [name for name in ("change", "set") if body.get(name) is not None] or ["unlimited"]
        body["unlimited"] = given[0] == "unlimited"
        for name in {"change", "set"} - {given[0]}:
            body.pop(name, None)
        if given[0] == "change":
            body.pop("expected_stock", None)
            body.pop("expected_unlimited", None)
        else:
            body["expected_unlimited"] = body.get("expected_stock") is None


def keep_strong_password(path, body):
    """A new password that is easy to guess is refused. These letters have no word, repetition or sequence, from any of them on."""
    if path in NEW_PASSWORD_PATHS:
        letters = "rfbxvghdkpcnjtmq"
        start = uuid4().int % len(letters)
        body["password"] = (letters[start:] + letters[:start] + body["password"])[: len(body["password"])]


def keep_one_of_exclusive_fields(case, body):
    schema = str(case.operation.body[0].raw_schema)
    for first, second, default in EXCLUSIVE_FIELDS:
        if f"'{first}':" not in schema or f"'{second}':" not in schema:
            continue
        present = [name for name in (first, second) if body.get(name) is not None]
        if not present:
            body[second] = default
        elif len(present) == 2:
            del body[present[ord(case.id[-1]) % 2]]
