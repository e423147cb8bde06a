// A small till with the client in clients/typescript. .ci/clients generates, compiles and runs it.
import assert from 'node:assert/strict';
import { type components, createLoyaltyClient, LoyaltyError, type paths, result } from './generated/loyaltyClient';
import { uses } from './loyaltyClientTypes';
import { points, settings } from './till';

type Posted = paths['/api/v1/activity']['post']['requestBody']['content']['application/json'];

const loyaltyID = 'TILL-LOYALTY-CLIENT';
const { url, ...credentials } = settings;
const api = createLoyaltyClient({ url, credentials });

async function enrol(): Promise<components['schemas']['Member']> {
  const [program] = await result(api.GET('/api/v1/programs', { params: { query: { limit: 1 } } }));
  assert(program, 'there is no program');
  return result(api.POST('/api/v1/members', { body: { program: program._id, loyaltyID, firstName: 'Ada' } }));
}

async function post(body: Posted) {
  const answer = await result(api.POST('/api/v1/activity', { body }));
  assert(answer.member, 'the answer has the member');
  assert.equal(answer.result.data?.status, 'Processed');
  return { activityId: answer.result.data.activityId, log: answer.result.log, points: points(answer.member.purses) };
}

async function giveBack(id: string, value: number) {
  const answer = await result(api.POST('/api/v1/activity/{id}/cancel', { params: { path: { id } }, body: { value } }));
  assert(answer.member, 'the answer has the member');
  assert.equal(answer.result.log?.entries[0]?.action, 'returnAward');
  return points(answer.member.purses);
}

async function run() {
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
  const refused = await post({ type: 'Accrual', loyaltyID, value: 1, ...key }).catch((error: unknown) => error);
  assert(refused instanceof LoyaltyError);
  assert.equal(refused.errors[0]?.path, 'externalTxnId');
  assert.equal(await giveBack(purchase.activityId, 20), 50);
  const statement = await result(api.GET('/api/v1/members/{id}/statement', { params: { path: { id: member._id } } }));
  assert.deepEqual(
    statement.map(({ kind, points, balanceAfter }) => [kind, points, balanceAfter]),
    [
      ['accrue', 120, 120],
      ['burn', -50, 70],
      ['reverse', -20, 50],
    ],
  );
  assert((await uses.readPages(api)).includes(member._id), 'the pages have the member');
  assert((await uses.read(api)) > 0, 'the filters find the member');
}

void run();
