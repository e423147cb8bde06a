import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { memberResource } from '#records/members/member';
import type { Program } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';
import { type Client, client } from '../../support/client';
import { makePolicy, makeProgram } from '../../support/definitions';
import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';
import { makeTestOrg } from '../../support/services';

let server: Awaited<ReturnType<typeof openTestServer>>;
let api: Client;
let stranger: Client;
let coffee: Program;
let hotel: Program;
let points: PursePolicy;

beforeAll(async () => {
  server = await openTestServer();
  api = server.as('client');
  const { db, users } = server.services;
  const other = await makeTestOrg(server.services, 'other');
  stranger = client(server.url, other.users.client.token);
  coffee = await makeProgram(db, users.admin.principal);
  hotel = await makeProgram(db, users.admin.principal);
  points = await makePolicy(db, users.admin.principal, coffee);
});

afterAll(() => server.close());

/** An entry of `members` for a new member. */
async function entry(program = coffee): Promise<{ member: string; program: string }> {
  const { body } = await api.post('/members', { program: program._id });
  return { member: body._id, program: body.program };
}

async function account(size: number) {
  const members = await Promise.all(Array.from({ length: size }, () => entry()));
  const { body } = await api.post('/accounts', { members });
  return { id: String(body._id), members, ids: members.map(({ member }) => member), body };
}

const unlink = (api: Client, query: unknown, body?: unknown) =>
  api.post(`/accounts/unlink?query=${encodeURIComponent(JSON.stringify(query))}`, body);

const setSpendable = (member: string, availBalance: number) =>
  collectionOf(server.services.db, memberResource).updateOne(
    { _id: new ObjectId(member), 'purses.policyId': points._id },
    { $set: { 'purses.$.availBalance': availBalance } },
  );

describe('accounts', () => {
  test('are created with the first member active, read, listed, found by member, changed and deleted', async () => {
    const members = [await entry(coffee), await entry(hotel)];
    const created = await api.post('/accounts', { members });
    expect(created).toMatchObject({ status: 201, body: { members, activeMember: members[0]?.member } });
    expect(created.body.version).toBe(1);
    const path = `/accounts/${created.body._id}`;

    const read = await api.get(path);
    expect([read.body, read.headers.get('etag')]).toEqual([created.body, '"v1"']);
    expect((await api.get(`/accounts?members.member=${members[1]?.member}`)).body).toEqual([created.body]);
    expect((await api.get(`/accounts/member/${members[1]?.member}`)).body).toEqual(created.body);
    const headers = { 'If-Match': read.headers.get('etag') ?? '' };
    const changed = await api.put(path, { activeMember: members[1]?.member }, { headers });
    expect((await api.put(path, { activeMember: members[1]?.member }, { headers })).status).toBe(412);
    expect(changed).toMatchObject({ status: 200, body: { members, activeMember: members[1]?.member } });

    const deleted = await api.delete(path);
    expect(deleted).toMatchObject({ status: 204, body: undefined });
    expect((await api.get(path)).status).toBe(404);
    expect((await api.get(`/accounts/member/${members[1]?.member}`)).status).toBe(404);
  });

  test('are an empty list and a count of 0 when there are none', async () => {
    expect(await stranger.get('/accounts')).toMatchObject({ status: 200, body: [] });
    expect((await stranger.get('/accounts/count')).body).toEqual({ count: 0 });
  });

  test('are refused with the name of each faulty field', async () => {
    const a = await entry();
    const unknown = new ObjectId().toHexString();
    const cases: [object, string[]][] = [
      [{}, ['members required']],
      [{ members: [] }, ['members minItems']],
      [{ members: [{ member: a.member }] }, ['members.0.program required']],
      [{ members: [a, { ...a, member: unknown }] }, ['members.1.member reference']],
      [{ members: [a, a] }, ['members.1.member unique']],
      [{ members: [{ ...a, program: hotel._id }] }, ['members.0.program reference']],
      [{ members: [a], activeMember: (await entry()).member }, ['activeMember reference']],
      [{ members: [a], version: 3 }, ['version readOnly']],
      [{ members: [a], _id: unknown }, ['_id readOnly']],
      [{ members: [a], owner: 'me' }, ['owner additionalProperties']],
    ];

    for (const [body, expected] of cases) {
      const answer = await api.post('/accounts', body);
      expect(answer.status).toBe(422);
      expect(refusals(answer)).toEqual(expected);
    }
    expect((await api.get(`/accounts/member/${a.member}`)).status).toBe(404);
  });

  test('must name another active member in a change that leaves the present one out', async () => {
    const { id, members, ids } = await account(3);
    const rest = members.slice(1);

    expect(refusals(await api.put(`/accounts/${id}`, { members: rest }))).toEqual(['activeMember reference']);
    const changed = await api.put(`/accounts/${id}`, { members: rest, activeMember: ids[2] });
    expect(changed).toMatchObject({ status: 200, body: { members: rest, activeMember: ids[2] } });
  });

  test('never share a member', async () => {
    const { members } = await account(2);
    const other = await account(1);
    const [taken] = members;

    const created = await api.post('/accounts', { members: [await entry(), taken] });
    const changed = await api.put(`/accounts/${other.id}`, { members: [other.members[0], await entry(), taken] });

    expect(refusals(created)).toEqual(['members.1.member unique']);
    expect(refusals(changed)).toEqual(['members.2.member unique']);
  });

  test('that take one member at once are all refused but one', async () => {
    const wanted = await entry();
    const others = await Promise.all(Array.from({ length: 10 }, () => entry()));

    const answers = await Promise.all(others.map((own) => api.post('/accounts', { members: [own, wanted] })));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)]);
    expect((await api.get(`/accounts/count?members.member=${wanted.member}`)).body).toEqual({ count: 1 });
  });

  test('of another org are not found, nor are its members', async () => {
    const { id, ids, members } = await account(2);

    for (const path of [`/accounts/${id}`, `/accounts/member/${ids[0]}`, `/accounts/totalpoints/${id}/${points._id}`]) {
      expect((await stranger.get(path)).status).toBe(404);
    }
    expect((await stranger.put(`/accounts/${id}`, { activeMember: ids[1] })).status).toBe(404);
    expect((await stranger.delete(`/accounts/${id}`)).status).toBe(404);
    expect((await unlink(stranger, { 'members.member': ids[0] })).status).toBe(404);
    expect(refusals(await stranger.post('/accounts', { members }))).toContain('members.0.member reference');
  });

  test('answer 400 for malformed ids and 403 without the permission', async () => {
    for (const path of ['/accounts/x', '/accounts/member/x', `/accounts/totalpoints/x/${points._id}`]) {
      expect((await api.get(path)).status).toBe(400);
    }
    const { id, ids } = await account(1);
    expect((await server.as('reader').delete(`/accounts/${id}`)).status).toBe(403);
    expect((await unlink(server.as('reader'), { 'members.member': ids[0] })).status).toBe(403);
  });
});

describe('GET /accounts/totalpoints', () => {
  test('sums what the members of the program can spend, debt included', async () => {
    const coffeeMembers = [await entry(coffee), await entry(coffee)];
    const { body } = await api.post('/accounts', { members: [...coffeeMembers, await entry(hotel)] });
    await setSpendable(coffeeMembers[0]?.member ?? '', 120);
    await setSpendable(coffeeMembers[1]?.member ?? '', -20);

    expect(await api.get(`/accounts/totalpoints/${body._id}/${points._id}`)).toMatchObject({
      status: 200,
      body: { points: 100 },
    });
  });

  test('is 404 for an unknown account or policy', async () => {
    const { id } = await account(1);

    expect((await api.get(`/accounts/totalpoints/${new ObjectId()}/${points._id}`)).status).toBe(404);
    expect((await api.get(`/accounts/totalpoints/${id}/${new ObjectId()}`)).status).toBe(404);
  });
});

describe('POST /accounts/unlink', () => {
  test.each(['members.member', 'members.memberId'])(
    'takes the member that %s names out of its account',
    async (name) => {
      const { id, ids, members } = await account(3);

      const answer = await unlink(api, { [name]: ids[0] });

      expect(answer).toMatchObject({ status: 200, body: { status: 'success' } });
      expect((await api.get(`/accounts/${id}`)).body).toMatchObject({
        members: members.slice(1),
        activeMember: ids[1],
      });
    },
  );

  test('removes an account of two', async () => {
    const { id, ids } = await account(2);

    expect((await unlink(api, { 'members.memberId': ids[1] })).status).toBe(200);

    expect((await api.get(`/accounts/${id}`)).status).toBe(404);
  });

  test('ignores the body, whatever it is', async () => {
    const { id, ids } = await account(3);

    const shaped = await unlink(api, { 'members.memberId': ids[2] }, { members: [], activeMember: ids[2] });
    const broken = await api.send('POST', `/api/v1/accounts/unlink?query={"members.member":"${ids[1]}"}`, {
      raw: '{"',
    });

    expect([shaped.status, broken.status]).toEqual([200, 200]);
    expect((await api.get(`/accounts/${id}`)).status).toBe(404);
  });

  test.each([
    ['no query', ''],
    ['no JSON', '?query={'],
    ['no condition', '?query={}'],
    ['another field', '?query={"activeMember":"0123456789abcdef01234567"}'],
    ['two conditions', '?query={"members.member":"0123456789abcdef01234567","_id":"0123456789abcdef01234567"}'],
    ['more than one id', '?query={"members.member":{"$in":["0123456789abcdef01234567"]}}'],
    ['no id', '?query={"members.member":"me"}'],
  ])('answers 400 to %s', async (_, args) => {
    expect(await api.post(`/accounts/unlink${args}`)).toBeRefused(400, 1210);
  });

  test('answers 404 when no account has the member', async () => {
    expect((await unlink(api, { 'members.member': (await entry()).member })).status).toBe(404);
  });

  test('beside updates leaves an account whose active member is in it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, ids } = await account(4);

      await Promise.all([
        api.put(`/accounts/${id}`, { activeMember: ids[3] }),
        unlink(api, { 'members.member': ids[3] }),
        api.put(`/accounts/${id}`, { activeMember: ids[2] }),
        unlink(api, { 'members.member': ids[2] }),
      ]);

      const { body } = await api.get(`/accounts/${id}`);
      expect(body.members.map(({ member }: { member: string }) => member)).toEqual(ids.slice(0, 2));
      expect(ids.slice(0, 2)).toContain(body.activeMember);
    }
  });
});
