"""What the OpenAPI 3.0 document cannot say in a way that schemathesis reads: see schemathesis.toml."""

from uuid import uuid4

import schemathesis
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation

KEY = "Idempotency-Key"
NAMES = ("character_id", "character_name")


def is_valid(case, location):
    component = case.meta and case.meta.components.get(location)
    return not component or component.mode is GenerationMode.POSITIVE


@schemathesis.hook
def before_call(context, case, kwargs):
    # Within a phase schemathesis sends the same key with one request after the other, and all but the first would
    # be refused (422) before anything else of them was looked at. Keys that are to be refused stay.
    if KEY in case.headers and is_valid(case, ParameterLocation.HEADER):
        case.headers[KEY] = str(uuid4())
    # These bodies name a character by exactly one of two fields. As `oneOf` it would have no readable type in the SDKs.
    body = case.body
    if isinstance(body, dict) and is_valid(case, ParameterLocation.BODY):
        if all(f"'{name}':" in str(case.operation.body[0].raw_schema) for name in NAMES):
            given = [name for name in NAMES if body.get(name) is not None]
            if not given:
                body["character_name"] = "Mira Stormborn"
            elif len(given) == 2:
                del body[given[ord(case.id[-1]) % 2]]
