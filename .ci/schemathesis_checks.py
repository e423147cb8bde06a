"""Checks that a request which matches the document is refused only for reasons that no JSON Schema can state."""

import base64
import json
import os

import schemathesis
from schemathesis.specs.openapi.checks import is_unexpected_http_status_case, response_schema_conformance

TOKEN = os.environ["CONTRACT_TOKEN"]

# The id of the user of the token.
USER = json.loads(base64.urlsafe_b64decode(TOKEN.split(".")[1] + "=="))["sub"]

NOBODY = "0" * 24

# Kinds of failing fields that depend on stored records, on another date, on names defined elsewhere, or on rules.
STORED = {"reference", "unique", "lookup", "inUse", "date", "format", "rule"}

# Fields, as resource and last step of the path, whose faults depend on more than the field itself.
STATE = {
    # Points that left escrow or expired cannot be put back. The total of a purse is limited (docs/design/points.md).
    ("accrualitems", "escrowedPoints"),
    ("accrualitems", "dtEscrowsOn"),
    ("accrualitems", "dtExpiresOn"),
    ("accrualitems", "availablePoints"),
    ("accrualitems", "accruedPoints"),
    # Values that Enums add, sums, and the part that is left to cancel (docs/design/activities.md, cancel.md).
    ("activity", "type"),
    ("activity", "srcChannelType"),
    ("activity", "itemUOM"),
    ("activity", "value"),
    ("activity", "itemPrice"),
    # Depends on the number of records that exist, or that a merge joins.
    ("pursepolicies", "program"),
    ("extdefs", "extSchema"),
    ("members", "memberIds"),
    # Fixed once the referral is completed.
    ("members", "referredBy"),
    # Thresholds rise with the levels. The maximum is not below the minimum.
    ("tierpolicies", "threshold"),
    ("extdefs", "max"),
    # Terms that need each other, or that must not be above another (docs/design/tiers.md, offers.md).
    ("tierpolicies", "snap"),
    ("tierpolicies", "basis"),
    ("tierpolicies", "expiry"),
    ("tierpolicies", "lifetime"),
    ("rewards", "leastPoints"),
    ("rewards", "pointValue"),
    # A time or a list of events, not both (docs/design/webhooks.md); names of permissions (docs/design/users.md).
    ("webhooks", "events"),
    ("apikeys", "permissions"),
    # That of the program.
    ("activity", "currencyCode"),
    # Required when there are several programs.
    ("rules", "program"),
}

# Objects of any shape. The document states what their outer names may be, but not the names and texts within, because
# generators of clients drop schemas that refer to themselves.
FREE = {"ext", "address", "rules"}

# Fields that some kinds of a record require. A change may leave them out when they are stored.
CHANGED = {("namedlists", "model"), ("namedlists", "query"), ("segments", "query"), ("extdefs", "enumType")}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Prevents changes of the token's user. A change ends the session, and all later requests would test nothing."""
    parameters = case.path_parameters or {}
    if case.method != "GET" and case.operation.path == "/api/v1/users/{id}" and parameters.get("id") == USER:
        case.path_parameters["id"] = NOBODY


@schemathesis.hook
def filter_body(context, body):
    """Leaves out bodies with a name that the service refuses at every level. The document states this for outer names
    only, and chance rarely draws such a name further in. test/security/hostileBodies tests all levels."""
    return not has_refused_name(body)


def has_refused_name(value):
    if isinstance(value, dict):
        return any(name in ("__proto__", "_bsontype") or has_refused_name(inner) for name, inner in value.items())
    return isinstance(value, list) and any(map(has_refused_name, value))


@schemathesis.check
def lasting_session(ctx, response, case):
    """The token must be valid until the run ends. Otherwise all later requests are refused and pass."""
    sent = response.request.headers.get("Authorization")
    if sent == f"Bearer {TOKEN}" and case.operation.path != "/api/v1/myaccount/logout":
        assert response.status_code != 401 or response.json()["code"] == 1110, "the session of the run has ended"


@schemathesis.check
def documented_answer(ctx, response, case):
    """Answers fit their schemas. Those of reads with these arguments are no whole records (decision 54)."""
    if response.status_code == 200 and {"select", "populate", "distinct"} & set(case.query or {}):
        return None
    return response_schema_conformance(ctx, response, case)


@schemathesis.check
def documented_rejection(ctx, response, case):
    """A request that matches the document is refused only for reasons that the document cannot state."""
    if case.meta is None or not case.meta.generation.mode.is_positive or is_unexpected_http_status_case(case):
        return
    # The body of an import is a file, which no JSON Schema describes. The activity of a trial is checked as a posted one,
    # and the document describes that at `POST /activity`.
    if case.method == "POST" and case.operation.path in ("/api/v1/imports", "/api/v1/rules/try"):
        return
    if response.status_code == 400:
        assert depends(case.query or {}), f"the document allows what the service refuses: {response.text}"
    # Files name the version that they change in themselves.
    if response.status_code == 412 and case.operation.path != "/api/v1/rules/publish":
        assert "if-match" in {name.lower() for name in case.headers or {}}, f"412 without If-Match: {response.text}"
    if response.status_code == 422:
        errors = response.json()["errors"]
        unexplained = [
            error
            for error in errors
            if not is_stored(case, error["kind"], error["path"]) and not is_beyond_pattern(error)
        ]
        assert not unexplained, f"the document allows what the service refuses: {unexplained}"


def is_beyond_pattern(error):
    """An invisible character above U+FFFF. No escape names it in the regular expressions of all languages, so the
    pattern of the document leaves these out (docs/design/identifiers.md)."""
    code = error.get("params", {}).get("code", "")
    return error.get("messageId") == "schema.invisible" and len(code) > len("U+FFFF")


def depends(query):
    """Tells whether an argument is in the query language, comes from an answer, or depends on other arguments."""
    if "query" in query or "validate" in query or "after" in query:
        return True
    # Only a CSV file has a byte order mark.
    if query.get("bom") in (True, "true"):
        return True
    # Of a report: its end, and how many steps it has.
    if "from" in query:
        return True
    if "asOf" in query and query.get("persist") not in (False, "false"):
        return True
    if query.get("async") in (True, "true") and query.get("persist") in (False, "false"):
        return True
    sort = query.get("sort", [])
    words = sort if isinstance(sort, list) else str(sort).split(",")
    names = [word.removeprefix("-") for word in words]
    return "sort" in query and ("distinct" in query or len(set(names)) < len(names))


def is_stored(case, kind, path):
    """Tells whether a field can be wrong although the request matches the document."""
    resource = case.path.removeprefix("/api/v1").split("/")[1]
    steps = path.split(".")
    if kind in ("additionalProperties", "pattern", "maxLength") and FREE & set(steps):
        return True
    # The whole record is one too many for its org, as with webhooks.
    if kind == "maxItems" and path == "":
        return True
    # A part of a Cancellation that is there and names nothing (docs/design/cancel.md). In other activities null is no part.
    if kind == "required" and resource in ("activity", "activities") and steps[-1] in ("lineItems", "quantity"):
        return True
    # The org defines extension fields. The criteria of filters name fields of products and locations. A stored query
    # has a language of its own.
    if kind in STORED or {"ext", "inclusionParams", "query"} & set(steps):
        return True
    names = {(resource, step) for step in steps if not step.isdigit()}
    return bool(names & STATE) or (case.method in ("PUT", "PATCH") and bool(names & CHANGED))
