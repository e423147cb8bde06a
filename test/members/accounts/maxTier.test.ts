import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { type Member, memberResource } from '#records/members/member';
import { openWorld, type World } from '../../support/world';

let world: World;
let policy: string;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  const levels = [1, 2, 3].map((number) => ({ name: `L${number}`, number, threshold: number * 100 }));
  const { body } = await world.server
    .as('admin')
    .post('/tierpolicies', { name: 'Status', program: world.program._id, levels });
  policy = body._id;
});
afterAll(() => world.close());

const admin = () => world.server.as('admin');
const maxTier = (account: unknown, tier: unknown) => admin().get(`/accounts/maxtier/${account}/${tier}`);

async function memberAt(number?: number, policyId = policy): Promise<Member> {
  const member = await world.addMember();
  if (number !== undefined) {
    const named = { policyId: new ObjectId(policyId), name: 'Status', program: world.program._id };
    const tiers = [{ ...named, level: { name: `L${number}`, number }, since: new Date() }];
    await collectionOf(world.services.db, memberResource).updateOne({ _id: member._id }, { $set: { tiers } });
  }
  return member;
}

async function accountOf(...members: Member[]): Promise<string> {
  const entries = members.map(({ _id, program }) => ({ member: _id, program }));
  return (await admin().post('/accounts', { members: entries })).body._id;
}

test('the greatest tier of an account is the one with the highest level number among the members', async () => {
  const account = await accountOf(await memberAt(2), await memberAt(3), await memberAt(1), await memberAt());
  const { status, body } = await maxTier(account, policy);
  expect([status, body.tier]).toMatchObject([200, { policyId: policy, level: { name: 'L3', number: 3 } }]);
});

test('the greatest tier is null when no member has one under the policy', async () => {
  const account = await accountOf(await memberAt(), await memberAt(3, new ObjectId().toHexString()));
  expect((await maxTier(account, policy)).body).toEqual({ tier: null });
});

test('the greatest tier answers 404 for an unknown account or policy, and 400 for a malformed id', async () => {
  const account = await accountOf(await memberAt(1));
  expect((await maxTier(account, new ObjectId())).status).toBe(404);
  expect((await maxTier(new ObjectId(), policy)).status).toBe(404);
  expect((await maxTier(account, 'x')).status).toBe(400);
});
