import type { ObjectId } from 'bson';
import type { Member } from '#records/members/member';
import { importing } from '../../exchange/imports/importing';
import { openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
});
afterAll(() => world.close());

const client = () => world.server.as('client');
const stored = async ({ _id }: Member) => (await client().get(`/members/${_id}`)).body;
const itself = [
  { path: 'familyHead', kind: 'reference', message: 'is the member itself; leave it out, or send null to clear it' },
];

describe('nobody is the head of its own family', () => {
  test.each(['put', 'patch'] as const)('by %s', async (method) => {
    const member = await world.addMember();
    const { status, body } = await client()[method](`/members/${member._id}`, { familyHead: member._id });
    expect([status, body.errors]).toMatchObject([422, itself]);
    expect(await stored(member)).not.toHaveProperty('familyHead');
  });

  test('by an import, which changes nothing', async () => {
    const member = await world.addMember();
    const content = `loyaltyID,program,familyHead\n${member.loyaltyID},main,${member._id}`;
    const { counts, errors } = await importing(world).imported({ kind: 'members', content });
    expect(counts).toMatchObject({ rows: 1, failed: 1, updated: 0 });
    expect(errors).toContain('is the member itself');
    expect(await stored(member)).not.toHaveProperty('familyHead');
  });

  test('by the id of a member that was merged into it', async () => {
    const [member, merged] = [await world.addMember(), await world.addMember()];
    await world.server.as('admin').post(`/members/${member._id}/merge`, { memberIds: [merged._id] });
    const { status, body } = await client().patch(`/members/${member._id}`, { familyHead: merged._id });
    expect([status, body.errors]).toMatchObject([422, itself]);
  });

  test('at its creation, when its id is not known yet', async () => {
    const _id = '0123456789abcdef01234567';
    const body = { program: world.program._id, familyHead: _id };
    expect((await client().post('/members', { ...body, _id })).status).toBe(422);
    expect((await client().post('/members', body)).status).toBe(422);
    const { body: rows } = await client().post('/members/bulk', [body]);
    expect(rows).toMatchObject([{ error: { errors: [{ path: 'familyHead', kind: 'reference' }] } }]);
  });
});

test('two members may be the head of each other, and a share goes one step only', async () => {
  const [one, other] = [await world.addMember(), await world.addMember()];
  const patch = (id: ObjectId, familyHead: ObjectId | null) => client().patch(`/members/${id}`, { familyHead });
  expect((await patch(one._id, other._id)).status).toBe(200);
  expect((await patch(other._id, one._id)).status).toBe(200);
  expect((await patch(one._id, null)).status).toBe(200);
  expect(await stored(one)).not.toHaveProperty('familyHead');
});
