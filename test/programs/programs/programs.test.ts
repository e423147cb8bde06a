import { ObjectId } from 'bson';
import type { Client } from '../../support/client';
import { client } from '../../support/client';
import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';
import { makeTestOrg, type TestOrg } from '../../support/services';

type Server = Awaited<ReturnType<typeof openTestServer>>;

let server: Server;
let manager: Client;
let stranger: Client;

beforeAll(async () => {
  server = await openTestServer();
  manager = server.as('program-manager');
  const other: TestOrg = await makeTestOrg(server.services, 'other');
  stranger = client(server.url, other.users.admin.token);
});

afterAll(() => server.close());

let codes = 0;
const nextCode = () => `program-${++codes}`;

async function program(fields: object = {}) {
  const { body } = await manager.post('/programs', { code: nextCode(), name: 'Coffee Club', ...fields });
  return body;
}

describe('programs', () => {
  test('are created with defaults, read, changed and deleted', async () => {
    const created = await manager.post('/programs', { code: 'coffee', name: 'Coffee Club', timezone: 'Europe/Paris' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ code: 'coffee', status: 'Active', timezone: 'Europe/Paris' });
    const path = `/programs/${created.body._id}`;

    const changed = await manager.patch(path, { status: 'Paused' });
    expect(changed).toMatchObject({ status: 200, body: { status: 'Paused', name: 'Coffee Club' } });
    expect(await manager.get(path)).toMatchObject({ status: 200, body: changed.body });
    expect((await manager.get('/programs?code=coffee')).body).toHaveLength(1);
    expect((await manager.get('/programs/count?code=coffee')).body).toEqual({ count: 1 });

    expect((await manager.delete(path)).status).toBe(204);
    expect(await manager.get(path)).toBeRefused(404, 1500);
  });

  test.each([
    ['a name is missing', { code: 'x' }, ['name required']],
    ['an unknown field', { code: 'x', name: 'X', colour: 'red' }, ['colour additionalProperties']],
    ['a field that the service sets', { code: 'x', name: 'X', org: '0'.repeat(24) }, ['org readOnly']],
    ['a zone that does not exist', { code: 'x', name: 'X', timezone: 'Mars/Olympus' }, ['timezone format']],
    ['an unknown status', { code: 'x', name: 'X', status: 'Open' }, ['status enum']],
    [
      'an end before the beginning',
      { code: 'x', name: 'X', effective: { from: '2026-02-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' } },
      ['effective.to date'],
    ],
  ])('are refused with %s', async (_, body, expected) => {
    const answer = await manager.post('/programs', body);

    expect(answer).toBeRefused(422, 1200, { message: 'Validation Error' });
    expect(refusals(answer)).toEqual(expected);
  });

  test('have a unique code in an org, which never changes because it names the rule folder', async () => {
    const { _id, code } = await program();

    expect(refusals(await manager.post('/programs', { code, name: 'Twin' }))).toEqual(['code unique']);
    expect(refusals(await manager.put(`/programs/${_id}`, { code: 'renamed' }))).toEqual(['code readOnly']);
    expect((await stranger.post('/programs', { code, name: 'Elsewhere' })).status).toBe(201);
  });

  test('cannot be deleted while something refers to it', async () => {
    const { _id } = await program();
    const policy = await manager.post('/pursepolicies', { name: 'Points', program: _id });

    const refused = await manager.delete(`/programs/${_id}`);

    expect(refused.status).toBe(422);
    expect(refusals(refused)).toEqual(['_id inUse']);
    await manager.delete(`/pursepolicies/${policy.body._id}`);
    expect((await manager.delete(`/programs/${_id}`)).status).toBe(204);
  });

  test('of another org are not found, whatever is tried', async () => {
    const { _id } = await program();

    expect((await stranger.get(`/programs/${_id}`)).status).toBe(404);
    expect((await stranger.put(`/programs/${_id}`, { name: 'Mine' })).status).toBe(404);
    expect((await stranger.delete(`/programs/${_id}`)).status).toBe(404);
    expect((await stranger.get(`/programs?_id=${_id}`)).body).toEqual([]);
  });

  test('answer 400 for malformed ids, 404 for unknown ones and 403 without the permission', async () => {
    expect((await manager.get('/programs/xyz')).status).toBe(400);
    expect((await manager.get(`/programs/${new ObjectId()}`)).status).toBe(404);
    expect((await server.as('client').post('/programs', { code: nextCode(), name: 'X' })).status).toBe(403);
    expect((await server.as('reader').get('/programs')).status).toBe(200);
  });
});

describe('purse policies', () => {
  test('are created with defaults and changed', async () => {
    const { _id } = await program();
    const created = await manager.post('/pursepolicies', { name: 'Points', program: _id });

    expect(created).toMatchObject({
      status: 201,
      body: { name: 'Points', program: _id, primary: false, overdraftLimit: 0, clawback: 'full' },
    });
    const expiry = { type: 'rolling', value: 1, unit: 'year', snap: 'endOfMonth' };
    const changed = await manager.put(`/pursepolicies/${created.body._id}`, { expiry });
    expect(changed).toMatchObject({ status: 200, body: { expiry, name: 'Points' } });
  });

  test.each([
    [
      'a duration without its parts',
      { escrow: { type: 'duration' } },
      ['escrow.value required', 'escrow.unit required'],
    ],
    ['a day that no month has', { expiry: { type: 'calendar', month: 2, day: 31 } }, ['expiry.day date']],
    ['inactivity of unknown length', { expiry: { type: 'inactivity', unit: 'year' } }, ['expiry.value required']],
    ['a negative overdraft', { overdraftLimit: -1 }, ['overdraftLimit minimum']],
  ])('refuse %s, at creation and later', async (_, fields, expected) => {
    const { _id } = await program();
    const { body: policy } = await manager.post('/pursepolicies', { name: 'Points', program: _id });

    const created = await manager.post('/pursepolicies', { name: 'Other', program: _id, ...fields });
    const changed = await manager.put(`/pursepolicies/${policy._id}`, fields);

    for (const answer of [created, changed]) {
      expect(answer.status).toBe(422);
      expect(refusals(answer)).toEqual(expected);
    }
  });

  test('are unique by name, with one primary purse per program', async () => {
    const { _id } = await program();
    await manager.post('/pursepolicies', { name: 'Points', program: _id, primary: true });
    const second = await manager.post('/pursepolicies', { name: 'Bonus', program: _id });

    const primaries = [
      await manager.post('/pursepolicies', { name: 'More', program: _id, primary: true }),
      await manager.put(`/pursepolicies/${second.body._id}`, { primary: true }),
    ];
    for (const answer of primaries) expect(refusals(answer)).toEqual(['primary unique']);
    const sameName = await manager.post('/pursepolicies', { name: 'Points', program: _id });
    expect(refusals(sameName)).toEqual(['name unique']);
  });

  test('have one primary purse when many ask to be primary at once', async () => {
    const { _id } = await program();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        manager.post('/pursepolicies', { name: `P${n}`, program: _id, primary: true }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)]);
  });

  test('belong to a program of their org, and never change it', async () => {
    const { _id } = await program();
    const other = await program();
    const { body: policy } = await manager.post('/pursepolicies', { name: 'Points', program: _id });

    const foreign = await stranger.post('/pursepolicies', { name: 'Points', program: _id });
    const moved = await manager.put(`/pursepolicies/${policy._id}`, { program: other._id });

    expect(refusals(foreign)).toEqual(['program reference']);
    expect(refusals(moved)).toEqual(['program readOnly']);
  });

  test('cannot be deleted once members have a purse of them', async () => {
    const { _id } = await program();
    const { body: policy } = await manager.post('/pursepolicies', { name: 'Points', program: _id });
    await server.as('client').post('/members', { program: _id });

    const refused = await manager.delete(`/pursepolicies/${policy._id}`);

    expect(refusals(refused)).toEqual(['_id inUse']);
  });
});
