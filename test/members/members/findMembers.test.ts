import assert from 'node:assert';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { membersInSegment } from '#programs/catalog/membersInSegment';
import { segmentResource } from '#records/catalog/segment';
import { memberKeys } from '#records/members/find/memberKeys';
import { type Member, memberResource } from '#records/members/member';
import { readsDuring } from '../../support/profile';
import { openWorld, type World } from '../../support/world';

let world: World;
let anna: Member;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  anna = await world.addMember({
    loyaltyID: 'Card-77',
    firstName: 'Anna Maria',
    lastName: 'van der Meï',
    email: 'Anna@Example.com',
    phone: '+49 (0)151 234-56789',
  });
  await fillCrowd();
});
afterAll(() => world.close());

const client = () => world.server.as('client');
const members = () => collectionOf(world.services.db, memberResource);
const find = async (args: Record<string, string>) => {
  const { status, body } = await client().get(`/members?${new URLSearchParams({ select: '_id', ...args })}`);
  expect({ args, status }).toEqual({ args, status: 200 });
  return body.map(({ _id }: { _id: string }) => _id);
};
const query = (filter: object) => ({ query: JSON.stringify(filter) });

const crowdSize = 400;

/** Many members with few different names, so that a read of all of one name would look at far more than it answers. */
async function fillCrowd() {
  const model = await world.addMember();
  const { _id, ...fields } = model;
  const rows = Array.from({ length: crowdSize }, (_unused, n): Member => {
    const own = {
      loyaltyID: `CROWD-${n}`,
      loyaltyIDs: [`CROWD-${n}`],
      referralCode: `CROWD-R-${n}`,

      firstName: `Berta${n % 8 < 4 ? '' : 'x'}`,
      lastName: n % 2 ? 'Crowder' : 'Crown',
      email: `Crowd-${n}@example.com`,
      phone: `+1 415 ${5_550_000 + n}`,
    };
    return { ...fields, ...newStamps(world.author, world.services.clock.now()), ...own, searchKeys: memberKeys(own) };
  });
  await members().insertMany(rows);
}

describe('a search finds a member', () => {
  it.each<[string, Record<string, string>]>([
    ['by e-mail in any case', { email: 'ANNA@example.COM' }],
    ['by e-mail in a query', query({ email: { $in: ['aNNa@example.com', 'nobody@example.com'] } })],
    ['by phone with 00', { phone: '0049 151 23456789' }],
    ['by phone as within the country', { phone: '0151/23456789' }],
    ['by phone with a + that the URL made a blank', { phone: ' 4915123456789' }],
    ['by phone in a query', query({ phone: '+49151 23456789' })],
    ['by last name in any case, without accents', { lastName: 'VAN DER MEI' }],
    ['by first name', { firstName: 'anna  maria' }],
    ['by first name and last name', { firstName: 'anna maria', lastName: 'van der mei' }],
    ['by the beginning of a name', { firstName: '~^ann' }],
    ['by the beginning of the last name in a query', query({ lastName: { $regex: '^va' } })],
    ['by a part of a name', { lastName: '~der m' }],
    ['by search of the whole name', { search: 'Anna van der Mei' }],
    ['by search of beginnings in any order', { search: 'mei  ANN' }],
    ['by search of the e-mail', { search: 'anna@EXAMPLE.com' }],
    ['by search of the phone', { search: '(0151) 234 567 89' }],
    ['by search of the loyalty id', { search: 'card-77' }],
    ['by the beginning of the loyalty id', { search: 'card-7*' }],
    ['by the beginning of a name with an asterisk', { search: 'mar*' }],
    ['by a whole name with an asterisk', { search: 'Maria*' }],
    ['by beginnings with a hyphen and an asterisk', { search: 'Maria-V*' }],
    ['by the beginning of the e-mail', { search: 'ANNA@*' }],
    ['by the beginning of the phone', { search: '+49 151 2*' }],
    ['by the beginning of the phone as within the country', { search: '0151 23*' }],
    ['by search with other arguments', { search: 'mei', status: 'Active', sort: '-createdAt', limit: '5' }],
  ])('%s', async (_name, args) => {
    expect(await find(args)).toEqual([`${anna._id}`]);
    const { limit: _limit, sort: _sort, ...filter } = args;
    const { body } = await client().get(`/members/count?${new URLSearchParams(filter)}`);
    expect(body).toEqual({ count: 1 });
  });

  it('by search of the id', async () => {
    expect(await find({ search: `${anna._id}` })).toEqual([`${anna._id}`]);
  });

  it('and no other one', async () => {
    for (const args of [
      { email: 'ann@example.com' },
      { phone: '+49 151 2345678' },
      { phone: '+43 151 23456789' },
      { lastName: 'Mei' },
      { firstName: '~^nna' },
      { search: 'anna meier' },
      { search: 'Card-7' },
      { search: 'ca*' },
      { search: 'nna*' },
      { search: '!' },
      query({ email: { $not: { $nin: ['ann@example.com'] } } }),
    ]) {
      expect(await find({ ...args })).toEqual([]);
    }
  });

  it('and leaves out whom a query excludes', async () => {
    const mine = query({ _id: anna._id });
    for (const args of [{ email: '!=anna@example.com' }, { phone: '!=015123456789' }, { lastName: '!=Van der Mei' }]) {
      expect(await find({ ...mine, ...args })).toEqual([]);
    }
    expect(await find({ ...mine, email: '!=other@example.com' })).toEqual([`${anna._id}`]);
    expect(await find(query({ _id: anna._id, email: null }))).toEqual([]);
  });

  it('of another org never', async () => {
    const other = world.server.as('client');
    expect((await other.get('/members?search=anna&select=_id')).body).toHaveLength(1);
    await members().updateOne({ _id: anna._id }, { $set: { org: anna._id } });
    const found = await find({ search: 'anna' });
    await members().updateOne({ _id: anna._id }, { $set: { org: world.author.org } });
    expect(found).toEqual([]);
  });
});

test('the keys of a search are never shown and cannot be named', async () => {
  const answers = [
    await client().get(`/members/${anna._id}`),
    await client().get('/members?search=anna&select=-purses'),
  ];
  for (const { body } of answers) expect(JSON.stringify(body)).not.toContain('searchKeys');
  for (const args of ['searchKeys=wanna', 'select=searchKeys', 'sort=searchKeys', 'distinct=searchKeys']) {
    expect((await client().get(`/members?${args}`)).status).toBe(400);
  }
  expect((await client().put(`/members/${anna._id}`, { searchKeys: ['x'] })).body.errors[0].kind).toBe('readOnly');
});

test('search has 1 to 100 characters, and only members have it', async () => {
  for (const path of [
    '/members?search=',
    `/members?search=${'a'.repeat(101)}`,
    '/members/count?search=%20',
    '/accounts?search=a',
  ]) {
    expect([path, (await client().get(path)).status]).toEqual([path, 400]);
  }
});

describe('a member is found', () => {
  it('by its new values and not by its old ones after a change', async () => {
    const { body } = await client().post('/members', {
      program: world.program._id,
      lastName: 'Oldname',
      phone: '+1 415 555 1111',
    });
    expect(await find({ search: 'oldn' })).toEqual([body._id]);
    await client().put(`/members/${body._id}`, { lastName: 'Newname' });
    await client().patch(`/members/${body._id}`, { email: 'New@example.com' });
    expect(await find({ lastName: 'oldname' })).toEqual([]);
    for (const search of ['newn', 'new@example.com', '415 555 1111'])
      expect(await find({ search })).toEqual([body._id]);
    expect((await members().findOne({ lastName: 'Newname' }))?.searchKeys).not.toContain('woldname');
  });

  it('after a merge as the survivor by every loyalty id, and not by the dropped name', async () => {
    const [survivor, merged] = [
      await world.addMember({ lastName: 'Stays' }),
      await world.addMember({ lastName: 'Goes' }),
    ];
    await world.server.as('admin').post(`/members/${survivor._id}/merge`, { memberIds: [merged._id] });
    for (const search of [survivor.loyaltyID, merged.loyaltyID, 'stays']) {
      expect(await find({ search })).toEqual([`${survivor._id}`]);
    }
    expect((await client().get('/members?search=goes')).body).toEqual([]);
  });

  it('by nothing after an erasure, nor are those merged into it', async () => {
    const [survivor, merged] = [
      await world.addMember({ lastName: 'Gonea' }),
      await world.addMember({ lastName: 'Goneb' }),
    ];
    await world.server.as('admin').post(`/members/${survivor._id}/merge`, { memberIds: [merged._id] });
    await world.server.as('admin').delete(`/members/${survivor._id}`);
    for (const search of ['gone', survivor.loyaltyID]) expect(await find({ search })).toEqual([]);
    const keys = await members().distinct('searchKeys', { _id: { $in: [survivor._id, merged._id] } });
    expect(keys).toEqual([]);
  });

  it('in segments and lookups too', async () => {
    const admin = world.server.as('admin');
    const lookup = { model: 'Member', keys: { email: 'ANNA@EXAMPLE.COM' }, select: ['_id'] };
    const { body } = await client().post('/accounts?preprocess=true', {
      members: [{ member: { lookup }, program: world.program._id }],
    });
    expect(body.activeMember).toBe(`${anna._id}`);
    const { body: made } = await admin.post('/segments', {
      name: 'Meis',
      kind: 'query',
      query: { lastName: 'VAN DER MEI', phone: '015123456789' },
    });
    const segment = await collectionOf(world.services.db, segmentResource).findOne({ name: 'Meis' });
    assert(segment && made._id);
    expect(await membersInSegment(world.services.db, segment)).toEqual([anna._id]);
  });
});

describe('an index finds the members, and the database reads only those that are answered,', () => {
  it.each<[string, Record<string, string>, number]>([
    ['loyaltyID', { loyaltyID: 'CROWD-7' }, 1],
    ['e-mail', { email: 'CROWD-7@example.com' }, 1],
    ['phone', { phone: '0014155550007' }, 1],
    ['phone as within the country', { phone: '415 5550007' }, 1],
    ['last name', { lastName: 'crown', limit: '10' }, 10],
    ['last name, a later page', { lastName: 'crown', limit: '10', skip: '30' }, 40],
    ['beginning of the last name', { lastName: '~^cro', limit: '10' }, 10],
    ['beginning of the first name, in a query', { ...query({ firstName: { $regex: '^Ber' } }), limit: '10' }, 10],
    ['search of a beginning', { search: 'cro', limit: '10' }, 10],
    // The key of two words has three letters of each, so some Crowders are looked at too.
    ['search of two words', { search: 'berta crown', limit: '10' }, 20],
    ['search of two beginnings', { search: 'be cr', limit: '10' }, 10],
    ['search of two words that nobody has', { search: 'anna crowder', limit: '10' }, 0],
    ['search of an e-mail', { search: 'crowd-7@example.com' }, 1],
    ['search of a phone', { search: '+14155550007' }, 1],
    ['search of a loyalty id', { search: 'crowd-7' }, 1],
    // Each is found by its e-mail too.
    ['search of the beginning of a loyalty id', { search: 'crowd-39*' }, 22],
    ['search of the beginning of a name with an asterisk', { search: 'ann*', limit: '10' }, 1],
    ['search of two beginnings with an asterisk', { search: 'bert-xyz*' }, 0],
  ])('%s', async (_name, args, documents) => {
    const reads = (await readsDuring(world.services.db, () => find(args))).filter(
      ({ collection }) => collection === 'members',
    );
    expect(reads).toMatchObject([{ plan: expect.stringMatching(/^IXSCAN/) }]);
    expect(reads[0]?.documents).toBeLessThanOrEqual(documents);
    expect(reads[0]?.plan).not.toMatch(/COLLSCAN|\{ org: 1, _id: 1 \}/);
  });

  it('so 16 at once are all answered, in the order of their ids', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => find({ lastName: '~^crow', limit: '20' })));
    for (const ids of answers) {
      expect(ids).toHaveLength(20);
      expect(ids).toEqual([...ids].sort());
    }
    const next = await find({ lastName: '~^crow', limit: '20', skip: '20' });
    expect(next.filter((id: string) => answers[0]?.includes(id))).toEqual([]);
  });
});
