import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { memberResource } from '#records/members/member';
import type { Program } from '#records/programs/program';
import { type Client, client } from '../../support/client';
import { makePolicy, makeProgram } from '../../support/definitions';
import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';
import { makeTestOrg } from '../../support/services';

let server: Awaited<ReturnType<typeof openTestServer>>;
let api: Client;
let stranger: Client;
let program: Program;

beforeAll(async () => {
  server = await openTestServer();
  api = server.as('client');
  const { users } = await makeTestOrg(server.services, 'other');
  stranger = client(server.url, users.client.token);
  program = await makeProgram(server.services.db, author());
  await makePolicy(server.services.db, author(), program, { name: 'Points', primary: true });
});

afterAll(() => server.close());

const author = () => server.services.users.admin.principal;

const enrol = async (fields: object = {}) => {
  const { body } = await api.post('/members', { program: program._id, ...fields });
  return body;
};

describe('POST /members', () => {
  test('makes a member and answers it without what is hidden', async () => {
    const { status, headers, body } = await api.post('/members', {
      program: program._id,
      firstName: 'Ada',
      email: 'ada@example.com',
      birthDate: '1990-12-10',
      ext: { shoeSize: 38 },
    });

    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/v1/members/${body._id}`);
    expect(body).toMatchObject({
      firstName: 'Ada',
      status: 'Active',
      type: 'Individual',
      version: 1,
      ext: { shoeSize: 38 },
      loyaltyIDs: [body.loyaltyID],
      purses: [{ name: 'Points', balance: 0, primary: true }],
    });
    for (const hidden of ['seq', 'nextDue', 'processedAccruals']) expect(body).not.toHaveProperty(hidden);
    expect((await api.get(`/members/${body._id}`)).body).toEqual(body);
  });

  test.each([
    ['no program', { program: undefined }, ['program required']],
    ['an unknown program', { program: new ObjectId() }, ['program reference']],
    ['an unknown referrer', { referredBy: new ObjectId() }, ['referredBy reference']],
    ['a segment, as none exist yet', { segments: [new ObjectId()] }, ['segments.0 reference']],
    ['a status that only the service gives', { status: 'Merged' }, ['status enum']],
    ['computed fields', { version: 7, purses: [] }, ['version readOnly', 'purses readOnly']],
    ['hidden fields', { seq: 7 }, ['seq readOnly']],
    ['unknown fields', { nickname: 'A' }, ['nickname additionalProperties']],
    ['a day that is none', { birthDate: '1990-02-30' }, ['birthDate format']],
    ['what is no address', { email: 'nowhere' }, ['email format']],
  ])('refuses %s', async (_, fields, expected) => {
    const answer = await api.post('/members', { program: program._id, ...fields });

    expect(answer).toBeRefused(422, 1200);
    expect(refusals(answer).sort()).toEqual([...expected].sort());
  });

  test('refuses a loyaltyID that leads to another member, also when many ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.post('/members', { program: program._id, loyaltyID: 'CARD-1' })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refusals(refused)).toEqual(['loyaltyID unique']);
  });

  test("refuses another org's program", async () => {
    const answer = await stranger.post('/members', { program: program._id });

    expect(refusals(answer)).toEqual(['program reference']);
  });
});

describe('reading members', () => {
  test('works under both prefixes, with the query language', async () => {
    const { _id } = await enrol({ firstName: 'Grace' });

    for (const prefix of ['/api/v1/members', '/members']) {
      expect((await api.send('GET', `${prefix}/${_id}`)).body).toMatchObject({ firstName: 'Grace' });
      expect((await api.send('GET', `${prefix}?firstName=Grace&select=firstName`)).body).toEqual([
        { _id, firstName: 'Grace' },
      ]);
      expect((await api.send('GET', `${prefix}/count?firstName=Grace`)).body).toEqual({ count: 1 });
      const created = await api.send('POST', prefix, { body: { program: program._id } });
      expect(created.status).toBe(201);
      const changed = await api.send('PUT', `${prefix}/${created.body._id}`, { body: { lastName: 'Hopper' } });
      expect(changed.body).toMatchObject({ lastName: 'Hopper', version: 2 });
    }
  });

  test('shows purses of later policies as zeros, alike in every read', async () => {
    const own = await makeProgram(server.services.db, author());
    const { body: member } = await api.post('/members', { program: own._id });
    expect(member.purses).toEqual([]);
    await makePolicy(server.services.db, author(), own, { name: 'Late', overdraftLimit: 5 });

    const purse = { name: 'Late', balance: 0, availBalance: 0, overdraftLimit: 5 };
    const reads = [
      (await api.get(`/members/${member._id}`)).body.purses,
      (await api.get(`/members?_id=${member._id}`)).body[0].purses,
      (await api.get(`/members/${member._id}?select=purses`)).body.purses,
      (await server.as('reader').get(`/members/${member._id}?populate=program`)).body.purses,
      (await api.get(`/members/${member._id}/purses`)).body,
    ];

    for (const purses of reads) expect(purses).toMatchObject([purse]);
    expect(new Set(reads.map((purses) => JSON.stringify(purses))).size).toBe(1);
  });

  test('answers only the reference of purses that are populated but not selected', async () => {
    const own = await makeProgram(server.services.db, author());
    const policy = await makePolicy(server.services.db, author(), own, { name: 'Early' });
    const { body: member } = await api.post('/members', { program: own._id });
    await makePolicy(server.services.db, author(), own, { name: 'Late' });
    const reader = server.as('reader');

    const { body } = await reader.get(`/members/${member._id}?select=phone&populate=purses.policyId,purses.program`);

    const reference = { policyId: { _id: String(policy._id) }, program: { _id: String(own._id) } };
    expect(body.purses).toMatchObject([reference]);
    expect(Object.keys(body.purses[0]).sort()).toEqual(['policyId', 'program']);
  });

  test('shows the present name of a renamed policy', async () => {
    const own = await makeProgram(server.services.db, author());
    const policy = await makePolicy(server.services.db, author(), own, { name: 'Old' });
    const { body: member } = await api.post('/members', { program: own._id });

    await server.as('admin').put(`/pursepolicies/${policy._id}`, { name: 'New' });

    expect((await api.get(`/members/${member._id}`)).body.purses).toMatchObject([{ name: 'New' }]);
  });

  test('knows no hidden field in any argument', async () => {
    for (const argument of ['seq=0', 'sort=seq', 'select=seq', 'distinct=seq', 'query={"nextDue":{"$exists":true}}']) {
      expect((await api.get(`/members?${argument}`)).status).toBe(400);
    }
  });

  test('finds no member of another org', async () => {
    const { _id } = await enrol();

    for (const path of [`/members/${_id}`, `/members/${_id}/purses`, `/members/${_id}/statement`]) {
      expect(await stranger.get(path)).toBeRefused(404, 1500);
    }
    expect((await stranger.put(`/members/${_id}`, { firstName: 'Eve' })).status).toBe(404);
    expect((await stranger.get('/members')).body).toEqual([]);
  });

  test('answers 400 for malformed ids and 410 for merged or erased members', async () => {
    const survivor = await enrol();
    const merged = await enrol();
    const erased = await enrol();
    const members = collectionOf(server.services.db, memberResource);
    const mergedInto = new ObjectId(survivor._id);
    await members.updateOne({ _id: new ObjectId(merged._id) }, { $set: { status: 'Merged', mergedInto } });
    await members.updateOne({ _id: new ObjectId(erased._id) }, { $set: { status: 'Erased' } });

    expect((await api.get('/members/abc/purses')).status).toBe(400);
    for (const path of [`/members/${merged._id}`, `/members/${merged._id}/statement`]) {
      expect(await api.get(path)).toBeRefused(410, 1510, { mergedInto: survivor._id });
    }
    expect((await api.get(`/members/${erased._id}`)).status).toBe(410);
    expect((await api.put(`/members/${erased._id}`, { firstName: 'X' })).status).toBe(410);
  });
});

describe('PUT and PATCH /members/{id}', () => {
  test('change the sent fields only, and move the version', async () => {
    const member = await enrol({ firstName: 'Alan', lastName: 'Turing' });

    const put = await api.put(`/members/${member._id}`, { firstName: 'A.' });
    const patch = await api.patch(`/members/${member._id}`, { status: 'Suspended' });

    expect(put.body).toMatchObject({ firstName: 'A.', lastName: 'Turing', version: 2 });
    expect(patch.body).toMatchObject({ firstName: 'A.', status: 'Suspended', version: 3 });
  });

  test.each([
    ['program', { program: new ObjectId() }, ['program readOnly']],
    ['loyaltyID', { loyaltyID: 'OTHER' }, ['loyaltyID readOnly']],
    ['merged status', { status: 'Erased' }, ['status enum']],
    ['purses', { purses: [] }, ['purses readOnly']],
    ['an unknown referrer', { referredBy: new ObjectId() }, ['referredBy reference']],
  ])('refuse %s', async (_, body, expected) => {
    const { _id } = await enrol();

    const answer = await api.put(`/members/${_id}`, body);

    expect(answer.status).toBe(422);
    expect(refusals(answer)).toEqual(expected);
  });

  test('lose no change of several at once', async () => {
    const { _id } = await enrol();
    const changes = [{ firstName: 'A' }, { lastName: 'B' }, { phone: '1' }, { locale: 'fr' }];

    const answers = await Promise.all(changes.map((change) => api.put(`/members/${_id}`, change)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await api.get(`/members/${_id}`)).body).toMatchObject({ ...Object.assign({}, ...changes), version: 5 });
  });

  test('need permission', async () => {
    const { _id } = await enrol();

    expect((await server.as('reader').put(`/members/${_id}`, { firstName: 'X' })).status).toBe(403);
    expect((await server.as('reader').get(`/members/${_id}/purses`)).status).toBe(200);
    expect((await server.anonymous.get(`/members/${_id}`)).status).toBe(401);
  });
});

test('purses answer every field, with null when nothing is due, and no accrual items without an activity', async () => {
  await makePolicy(server.services.db, author(), program, { name: 'Shown' });
  const { body } = await api.post('/members', { program: program._id });
  const shown = [
    body.purses,
    (await api.get(`/members/${body._id}`)).body.purses,
    (await api.get(`/members?_id=${body._id}`)).body[0].purses,
    (await api.get(`/members/${body._id}/purses`)).body,
  ];
  for (const purses of shown) expect(purses[0]).toMatchObject({ nextEscrow: null, nextExpiry: null, accruals: [] });
});
