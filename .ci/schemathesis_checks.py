"""Holds refusals of requests that fit the document to the reasons that no JSON Schema can state (DESIGN 3 and 4)."""

import base64
import json
import os

import schemathesis
from schemathesis.specs.openapi.checks import is_unexpected_http_status_case

TOKEN = os.environ["CONTRACT_TOKEN"]

# Whose token it is.
USER = json.loads(base64.urlsafe_b64decode(TOKEN.split(".")[1] + "=="))["sub"]

NOBODY = "0" * 24

# Kinds of failing fields that depend on what is stored, on another date, on names known elsewhere, or on rules.
STORED = {"reference", "unique", "lookup", "inUse", "date", "format", "rule"}

# Fields, by resource and with the end of their path, whose faults depend on more than the field itself.
STATE = {
    # What left escrow, or expired, is not put back; what the purse holds together is bounded (DESIGN 9).
    ("accrualitems", "escrowedPoints"),
    ("accrualitems", "dtEscrowsOn"),
    ("accrualitems", "dtExpiresOn"),
    ("accrualitems", "availablePoints"),
    ("accrualitems", "accruedPoints"),
    # Words that Enums add, sums, and what is left to cancel (DESIGN 7).
    ("activity", "type"),
    ("activity", "srcChannelType"),
    ("activity", "itemUOM"),
    ("activity", "value"),
    ("activity", "itemPrice"),
    # How many records there are already, or come together.
    ("pursepolicies", "program"),
    ("extdefs", "extSchema"),
    ("members", "memberIds"),
    # Thresholds rise with the levels; the greatest is not below the least.
    ("tierpolicies", "threshold"),
    ("extdefs", "max"),
    # Of which program rules are while there are several.
    ("rules", "program"),
}

# Fields that a record of a kind needs, and that a change need not send when they are stored.
CHANGED = {("namedlists", "model"), ("namedlists", "query"), ("segments", "query"), ("extdefs", "enumType")}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Keeps the user of the token as it is: a change of it ends the session, and what follows would try nothing."""
    parameters = case.path_parameters or {}
    if case.method != "GET" and case.operation.path == "/api/v1/users/{id}" and parameters.get("id") == USER:
        case.path_parameters["id"] = NOBODY


@schemathesis.check
def lasting_session(ctx, response, case):
    """The token of the run holds to its end, else all that follows is refused and so passes."""
    sent = response.request.headers.get("Authorization")
    if sent == f"Bearer {TOKEN}" and case.operation.path != "/api/v1/myaccount/logout":
        assert response.status_code != 401 or response.json()["code"] == 1110, "the session of the run has ended"


@schemathesis.check
def documented_rejection(ctx, response, case):
    """A request that fits the document is refused only for what the document cannot say."""
    if case.meta is None or not case.meta.generation.mode.is_positive or is_unexpected_http_status_case(case):
        return
    if response.status_code == 400:
        assert depends(case.query or {}), f"the document allows what the service refuses: {response.text}"
    if response.status_code == 412:
        assert "if-match" in {name.lower() for name in case.headers or {}}, f"412 without If-Match: {response.text}"
    if response.status_code == 422:
        errors = response.json()["errors"]
        unexplained = [error for error in errors if not is_stored(case, error["kind"], error["path"])]
        assert not unexplained, f"the document allows what the service refuses: {unexplained}"


def depends(query):
    """Arguments in the query language, and those that go with others only."""
    if "query" in query or "validate" in query:
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
    """Tells whether a field can be at fault although the request fits the document."""
    resource = case.path.removeprefix("/api/v1").split("/")[1]
    steps = path.split(".")
    # Extension fields are as the org defines them; the criteria of filters name fields of products and locations; a
    # stored query has a language of its own.
    if kind in STORED or {"ext", "inclusionParams", "query"} & set(steps):
        return True
    names = {(resource, step) for step in steps if not step.isdigit()}
    return bool(names & STATE) or (case.method in ("PUT", "PATCH") and bool(names & CHANGED))
