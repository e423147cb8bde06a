"""A small till with the client of openapi-python-client. .ci/clients generates the client, checks this file and runs it."""

import os

from loyalty_client import AuthenticatedClient, Client
from loyalty_client.api.activities import post_activity, post_activity_by_id_cancel
from loyalty_client.api.members import get_members_by_id_statement, post_members
from loyalty_client.api.programs import get_programs
from loyalty_client.api.sign_in import post_login
from loyalty_client.models import (
    ActivityAnswer,
    CancelAnswer,
    Error422,
    Member,
    PostActivityBody,
    PostActivityBodyLineItemsType0Item,
    PostActivityByIdCancelBody,
    PostLoginBody,
    PostLoginResponse200,
    PostMembersBody,
    Purse,
)
from loyalty_client.types import Unset

URL = os.environ["TILL_URL"]
LOYALTY_ID = "TILL-PYTHON"


def sign_in() -> AuthenticatedClient:
    body = PostLoginBody(username=os.environ["TILL_USERNAME"], password=os.environ["TILL_PASSWORD"])
    answer = post_login.sync(client=Client(base_url=URL), body=body)
    assert isinstance(answer, PostLoginResponse200), answer
    return AuthenticatedClient(base_url=URL, token=answer.token)


def enrol(client: AuthenticatedClient) -> Member:
    programs = get_programs.sync(client=client, limit=1)
    assert isinstance(programs, list), programs
    body = PostMembersBody(program=programs[0].field_id, loyalty_id=LOYALTY_ID, first_name="Ada")
    member = post_members.sync(client=client, body=body, idempotency_key=LOYALTY_ID)
    assert isinstance(member, Member), member
    return member


def points(purses: list[Purse]) -> int:
    """The points of the purse `Points` that may be spent."""
    return next(purse.avail_balance for purse in purses if purse.name == "Points")


def post(client: AuthenticatedClient, body: PostActivityBody) -> tuple[str, str, int]:
    """Posts an activity. Returns its id, the first action of its log and the points that may be spent then."""
    answer = post_activity.sync(client=client, body=body)
    assert isinstance(answer, ActivityAnswer), answer
    data, log, member = answer.result.data, answer.result.log, answer.member
    assert not isinstance(data, Unset) and not isinstance(log, Unset) and not isinstance(member, Unset)
    assert data.status == "Processed" and data.activity_id is not None, answer
    return data.activity_id, log[0].action, points(member.purses)


def give_back(client: AuthenticatedClient, activity: str, value: int) -> int:
    body = PostActivityByIdCancelBody(value=value)
    answer = post_activity_by_id_cancel.sync(activity, client=client, body=body)
    assert isinstance(answer, CancelAnswer), answer
    log, member = answer.result.log, answer.member
    assert not isinstance(log, Unset) and not isinstance(member, Unset)
    assert log.entries[0].action == "returnAward", answer
    return points(member.purses)


def main() -> None:
    client = sign_in()
    member = enrol(client)
    assert points(member.purses) == 0
    line_items = [PostActivityBodyLineItemsType0Item(item_sku="MUG-1", item_price=40, quantity=3)]
    key = f"{LOYALTY_ID}-1"
    purchase = PostActivityBody(
        type_="Accrual", loyalty_id=LOYALTY_ID, src_channel_type="POS", line_items=line_items, external_txn_id=key
    )
    activity, action, after_purchase = post(client, purchase)
    assert (action, after_purchase) == ("addPoints", 120), (action, after_purchase)
    _, _, after_redemption = post(client, PostActivityBody(type_="Redemption", loyalty_id=LOYALTY_ID, value=50))
    assert after_redemption == 70, after_redemption
    again = PostActivityBody(type_="Accrual", loyalty_id=LOYALTY_ID, value=1, external_txn_id=key)
    refused = post_activity.sync(client=client, body=again)
    assert isinstance(refused, Error422) and not isinstance(refused.errors, Unset), refused
    assert refused.errors[0].path == "externalTxnId", refused
    assert give_back(client, activity, 20) == 50
    statement = get_members_by_id_statement.sync(member.field_id, client=client)
    assert isinstance(statement, list), statement
    entries = [(entry.kind.value, entry.points, entry.balance_after) for entry in statement]
    assert entries == [("accrue", 120, 120), ("burn", -50, 70), ("reverse", -20, 50)], entries


if __name__ == "__main__":
    main()
