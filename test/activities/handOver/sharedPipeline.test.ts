import { type Fleet, type FleetApi, startFleet } from '../../support/fleet';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

let world: World;
let fleet: Fleet;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  fleet = await startFleet(world);
}, 60_000);
afterAll(async () => {
  await fleet?.close();
  await world.close();
});

/** An answer without what differs in every answer. */
function comparable({ status, body }: { status: number; body: unknown }, loyaltyID: string) {
  const text = JSON.stringify(body)
    .replaceAll(loyaltyID, 'its loyalty id')
    .replace(/\b[0-9a-f]{24}\b/g, 'an id')
    .replace(/"requestId":"[^"]*"/g, '"requestId":""')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment');
  return { status, body: JSON.parse(text) };
}

/** Sends the same requests through a process, for a member of their own. */
async function sendAll(api: FleetApi) {
  const { _id, loyaltyID } = await world.addMember();
  const member = String(_id);
  const date = '2026-01-31T12:00:00Z';
  const answers: { status: number; body: unknown }[] = [];
  const post = async (path: string, body: object) => {
    const answer = await api.post(path, body);
    answers.push(comparable(answer, loyaltyID));
    return answer.body;
  };
  const earned = await post('/activity', { type: 'Accrual', memberID: member, value: 10, date, ext: { a: [1, 'b'] } });
  await post('/activity?explain=all', { type: 'Redemption', memberID: member, value: 4, date });
  await post('/activity', { type: 'Redemption', memberID: member, value: 400, date });
  const keyed = { type: 'Accrual', memberID: member, value: 1, externalTxnId: `key ${member}` };
  await post('/activity', keyed);
  await post('/activity', keyed);
  await post('/activity', { ...keyed, value: 2 });
  await post('/activity', { type: 'Accrual', loyaltyID: 'nobody', value: 1 });
  await post(`/activity/${earned.result.data.activityId}/cancel`, {});
  await post(`/activity/${earned.result.data.activityId}/cancel`, {});
  return answers;
}

test('an activity that is handed over is answered as the owner answers its own', async () => {
  const before = await fleet.handedOver('answered');
  const [own, handedOver] = [await sendAll(fleet.owner), await sendAll(fleet.other)];
  expect(handedOver).toEqual(own);
  expect(own.map(({ status }) => status)).toContain(422);
  expect((await fleet.handedOver('answered')) - before).toBeGreaterThanOrEqual(8);
  expect(await fleet.handedOver('lost')).toBe(0);
});

test('new rules hold at once for what is handed over', async () => {
  const member = String((await world.addMember())._id);
  for (const times of [2, 5, 3]) {
    const points = { of: { fact: 'activity', path: '$.value' }, times };
    await world.publish([{ ...earnRule, actions: [{ type: 'addPoints', purse: 'Points', points }] }, redeemRule]);
    const { body } = await fleet.other.post('/activity', { type: 'Accrual', memberID: member, value: 1 });
    expect(body.member.purses[0].accruals[0].accruedPoints).toBe(times);
  }
});
