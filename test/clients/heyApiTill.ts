// A small till with the client of @hey-api/openapi-ts. .ci/clients generates, compiles and runs it.
import assert from 'node:assert/strict';
import {
  getMembersByIdStatement,
  getPrograms,
  type Member,
  type PostActivityData,
  postActivity,
  postActivityByIdCancel,
  postLogin,
  postMembers,
} from './generated/heyApi';
import { client } from './generated/heyApi/client.gen';
import { answered, points, settings } from './till';

const loyaltyID = 'TILL-HEY-API';

async function signIn() {
  const { url, username, password } = settings;
  client.setConfig({ baseUrl: url });
  const { token } = answered(await postLogin({ body: { username, password } }));
  client.setConfig({ auth: token });
}

async function enrol(): Promise<Member> {
  const [program] = answered(await getPrograms({ query: { limit: 1 } }));
  assert(program, 'there is no program');
  const headers = { 'Idempotency-Key': loyaltyID };
  return answered(await postMembers({ headers, body: { program: program._id, loyaltyID, firstName: 'Ada' } }));
}

async function post(body: PostActivityData['body']) {
  const answer = answered(await postActivity({ body }));
  assert('result' in answer && answer.member, 'the activity was only queued');
  assert.equal(answer.result.data?.status, 'Processed');
  return { activityId: answer.result.data.activityId, log: answer.result.log, points: points(answer.member.purses) };
}

async function giveBack(id: string, value: number) {
  const answer = answered(await postActivityByIdCancel({ path: { id }, body: { value } }));
  assert('result' in answer && answer.member, 'the return was only queued');
  assert.equal(answer.result.log?.entries[0]?.action, 'returnAward');
  return points(answer.member.purses);
}

async function run() {
  await signIn();
  const member = await enrol();
  assert.equal(points(member.purses), 0);
  const lineItems = [{ itemSKU: 'MUG-1', itemPrice: 40, quantity: 3 }];
  const key = { externalTxnId: `${loyaltyID}-1` };
  const purchase = await post({ type: 'Accrual', loyaltyID, srcChannelType: 'POS', lineItems, ...key });
  assert.equal(purchase.points, 120);
  assert.equal(purchase.log?.[0]?.action, 'addPoints');
  assert(purchase.activityId);
  const redemption = await post({ type: 'Redemption', loyaltyID, value: 50 });
  assert.equal(redemption.points, 70);
  const refused = await postActivity({ body: { type: 'Accrual', loyaltyID, value: 1, ...key } });
  assert.equal(refused.error?.errors?.[0]?.path, 'externalTxnId');
  assert.equal(await giveBack(purchase.activityId, 20), 50);
  const statement = answered(await getMembersByIdStatement({ path: { id: member._id } }));
  assert.deepEqual(
    statement.map(({ kind, points, balanceAfter }) => [kind, points, balanceAfter]),
    [
      ['accrue', 120, 120],
      ['burn', -50, 70],
      ['reverse', -20, 50],
    ],
  );
}

void run();
