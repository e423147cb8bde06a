import type { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { clearTombstones } from '#operations/migrations/clearTombstones';
import { type Member, memberResource } from '#records/members/member';
import { openWorld, type World } from '../../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
});
afterAll(() => world.close());

const members = () => collectionOf(world.services.db, memberResource);
const admin = () => world.server.as('admin');
const stored = async (_id: ObjectId) => {
  const found = await members().findOne({ _id });
  if (!found) throw new Error('no such member');
  return found;
};
const run = () =>
  clearTombstones.up(world.services.db, { progress: () => undefined, signal: new AbortController().signal });

/** Who somebody was, as version 0.1 left it in what remained of a merged member. */
const person = {
  firstName: 'Anna',
  lastName: 'Larsen',
  email: 'anna@old.example',
  phone: '+4520123456',
  birthDate: '1990-05-01',
  address: { city: 'Aarhus' },
  locale: 'da-DK',
  ext: { shoe: 42, hat: 'M' },
};

/** A survivor with these fields, and what an earlier version left of a member that was merged into it. */
async function leftBy(own: Partial<Member>): Promise<{ survivor: Member; tombstone: Member }> {
  const [survivor, merged] = [await world.addMember(), await world.addMember()];
  expect((await admin().post(`/members/${survivor._id}/merge`, { memberIds: [merged._id] })).status).toBe(200);
  await members().updateOne({ _id: survivor._id }, { $set: own });
  await members().updateOne({ _id: merged._id }, { $set: person });
  return { survivor: await stored(survivor._id), tombstone: await stored(merged._id) };
}

test('merged members lose their personal data, which the survivor has', async () => {
  const { survivor, tombstone } = await leftBy({ firstName: 'Ann', email: 'ann@new.example', ext: { shoe: 43 } });
  await run();
  const shown = (await admin().get(`/members?query=${encodeURIComponent(JSON.stringify({ _id: tombstone._id }))}`))
    .body[0];
  for (const field of Object.keys(person)) expect(shown).not.toHaveProperty(field);
  expect(shown).toMatchObject({ status: 'Merged', mergedInto: `${survivor._id}`, loyaltyID: tombstone.loyaltyID });
  const { phone, address } = person;
  expect((await admin().get(`/members/${survivor._id}`)).body).toMatchObject({
    firstName: 'Ann',
    lastName: 'Larsen',
    email: 'ann@new.example',
    phone,
    address,
    ext: { shoe: 43, hat: 'M' },
  });
  for (const args of ['email=anna@old.example', 'email=ann@new.example', `phone=${encodeURIComponent(phone)}`]) {
    const found = (await admin().get(`/members?${args}`)).body;
    expect([args, found.map(({ _id }: { _id: string }) => _id)]).toEqual([args, [`${survivor._id}`]]);
  }
});

test('a second run, and a start after it, change nothing', async () => {
  const { survivor, tombstone } = await leftBy({});
  await run();
  const before = [await stored(survivor._id), await stored(tombstone._id)];
  await run();
  expect([await stored(survivor._id), await stored(tombstone._id)]).toEqual(before);
});

test('an erased survivor gets no data back', async () => {
  const { survivor, tombstone } = await leftBy({});
  await admin().delete(`/members/${survivor._id}`);
  // An erasure of an earlier version, or one beside the migration.
  await members().updateOne({ _id: tombstone._id }, { $set: person });
  const erased = await stored(survivor._id);
  await run();
  expect(await stored(survivor._id)).toEqual(erased);
  for (const field of Object.keys(person)) expect(await stored(tombstone._id)).not.toHaveProperty(field);
});

test('data that does not fit into the survivor stays where it is', async () => {
  const wide = Object.fromEntries(Array.from({ length: 1000 }, (_unused, n) => [`k${n}`, n]));
  const { survivor, tombstone } = await leftBy({ ext: wide });
  await run();
  expect([await stored(survivor._id), await stored(tombstone._id)]).toEqual([survivor, tombstone]);
});
