"""Holds refusals of requests that fit the document to the reasons that no JSON Schema can state (DESIGN 3 and 4)."""

import schemathesis
from schemathesis.specs.openapi.checks import is_unexpected_http_status_case

# Arguments in a language of their own, and those that go with others only.
LANGUAGES = {"select", "populate", "distinct", "sort", "query", "validate", "entity", "persist", "asOf", "async", "explain"}

# Kinds of failing fields that depend on what is stored, on the calendar, or on names known elsewhere.
STORED = {"reference", "unique", "lookup", "inUse", "date", "format"}

# Fields whose bounds depend on the stored record: what left escrow, or expired, is not put back (DESIGN 9).
STATE = {("accrualitems", "escrowedPoints"), ("accrualitems", "dtEscrowsOn")}


@schemathesis.check
def documented_rejection(ctx, response, case):
    """A request that fits the document is refused only for what the document cannot say."""
    if case.meta is None or not case.meta.generation.mode.is_positive or is_unexpected_http_status_case(case):
        return
    status = response.status_code
    if status not in (400, 410, 412, 422):
        return
    answer = response.json()
    sent = {name.lower() for name in (case.headers or {})}
    if status == 400:
        assert LANGUAGES & set(case.query or {}), f"400 without an argument that has a language: {answer}"
    if status == 412:
        assert "if-match" in sent, f"412 without If-Match: {answer}"
    if status == 422:
        resource = case.path.removeprefix("/api/v1").split("/")[1]
        unexplained = [
            error
            for error in answer["errors"]
            if error["kind"] not in STORED and (resource, error["path"]) not in STATE
        ]
        assert not unexplained, f"the document allows what the service refuses: {unexplained}"
