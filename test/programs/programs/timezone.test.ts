import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

let programs = 0;
async function program() {
  programs += 1;
  const { body } = await server.as('admin').post('/programs', { code: `zone-${programs}`, name: 'Zone' });
  return body;
}

test('the time zone of a program changes until it has a member, and then stays', async () => {
  const admin = server.as('admin');
  const { _id } = await program();
  const path = `/programs/${_id}`;
  expect(await admin.put(path, { timezone: 'Pacific/Auckland' })).toMatchObject({
    status: 200,
    body: { timezone: 'Pacific/Auckland' },
  });
  const { body: member } = await admin.post('/members', { program: _id });

  const before = await admin.get(path);
  for (const refused of [
    await admin.put(path, { timezone: 'UTC' }),
    await admin.patch(path, { timezone: 'UTC', name: 'Other' }),
  ]) {
    expect(refused.status).toBe(422);
    expect(refusals(refused)).toEqual(['timezone inUse']);
  }
  expect((await admin.get(path)).body).toEqual(before.body);
  expect(before.body).not.toHaveProperty('hasMembers');

  const same = await admin.put(path, { timezone: 'Pacific/Auckland', name: 'New name' });
  expect(same).toMatchObject({ status: 200, body: { name: 'New name' } });
  // The sums of erased members were counted by the days of the zone too.
  await admin.delete(`/members/${member._id}`);
  expect(refusals(await admin.put(path, { timezone: 'UTC' }))).toEqual(['timezone inUse']);
});

test('a creation that fails leaves the time zone free', async () => {
  const admin = server.as('admin');
  const { _id } = await program();
  const taken = { loyaltyID: 'taken' };
  await admin.post('/members', { program: (await program())._id, ...taken });
  expect((await admin.post('/members', { program: _id, ...taken })).status).toBe(422);

  expect((await admin.put(`/programs/${_id}`, { timezone: 'Asia/Tokyo' })).status).toBe(200);
});

test('a first member that is created while the zone changes has either the old zone or the new one for good', async () => {
  const admin = server.as('admin');
  const { db } = server.services;
  const outcomes: string[] = [];
  for (let n = 0; n < 20; n += 1) {
    const { _id } = await program();
    const [changed, ...made] = await Promise.all([
      admin.put(`/programs/${_id}`, { timezone: 'Asia/Tokyo' }),
      ...[1, 2, 3].map(() => admin.post('/members', { program: _id })),
    ]);
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    const { timezone } = (await admin.get(`/programs/${_id}`)).body;
    outcomes.push(`${changed?.status} ${timezone}`);
    expect((await admin.put(`/programs/${_id}`, { timezone: 'Europe/Paris' })).status).toBe(422);
  }
  expect(outcomes.filter((each) => each !== '200 Asia/Tokyo' && each !== '422 UTC')).toEqual([]);
  expect(await db.collection('programs').countDocuments({ hasMembers: true })).toBeGreaterThanOrEqual(20);
});
