import { Readable } from 'node:stream';
import { createOrg } from '#access/users/createOrg';
import { collectionOf } from '#base/db/collections';
import { compileParse } from '#base/schema/parse';
import { runCommand } from '#commands/base/runCommand';
import { seedCommand } from '#commands/seed';
import { reconcile } from '#members/reconcile/reconcile';
import { seedOrg } from '#operations/seed/seedOrg';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import { orgResource } from '#records/users/org';
import { openTestServices, type TestServices } from '../support/services';

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

async function seed(...args: string[]) {
  const written = { out: [] as string[], err: [] as string[] };
  const streams = {
    input: Readable.from(['']),
    out: (line: string) => void written.out.push(line),
    err: (line: string) => void written.err.push(line),
  };
  const code = await runCommand(seedCommand(services.config, streams), args, streams);
  return { code, ...written };
}

const kinds = [memberResource, accrualItemResource, journalResource, activityHistoryResource];

async function orgIdOf(code: string) {
  const org = await collectionOf(services.db, orgResource).findOne({ code });
  return org?._id ?? services.org._id;
}

async function counted(code: string): Promise<number[]> {
  const org = await orgIdOf(code);
  return Promise.all(kinds.map(({ path }) => services.db.collection(path).countDocuments({ org })));
}

async function faultsIn(code: string): Promise<string[]> {
  const faults: string[] = [];
  const org = await orgIdOf(code);
  await reconcile(services, { org, onMismatch: ({ message }) => faults.push(message) });
  return faults;
}

describe('seed', () => {
  it('makes an org whose purses, items and journal agree', async () => {
    const { code, out, err } = await seed('--members', '30', '--items', '400', '--org', 'fresh');
    expect(code).toBe(0);
    expect(err.at(-1)).toContain('30 of 30 members');
    expect(out).toEqual([
      expect.stringMatching(/^Made org fresh with admin admin@fresh, password \S{16}$/),
      '30 members with 400 accrual items are in org fresh',
    ]);
    const [members, items, entries = 0, histories = 0] = await counted('fresh');
    expect([members, items]).toEqual([30, 400]);
    expect(entries).toBeGreaterThan(400);
    expect(histories).toBeGreaterThan(400);
    expect(await faultsIn('fresh')).toEqual([]);
  });

  it('makes records of the shapes that the service stores', async () => {
    const org = await orgIdOf('fresh');
    for (const { path, shape } of kinds) {
      const parse = compileParse(shape);
      for (const stored of await services.db.collection(path).find({ org }).limit(20).toArray()) {
        expect(() => parse(JSON.parse(JSON.stringify(stored)))).not.toThrow();
      }
    }
  });

  it('changes nothing when it is complete', async () => {
    const before = await counted('fresh');
    expect(await seed('--members', '30', '--items', '400', '--org', 'fresh')).toMatchObject({ code: 0 });
    expect(await counted('fresh')).toEqual(before);
  });

  it('continues where an interrupted run stopped', async () => {
    const size = ['--members', '2500', '--items', '5000', '--org', 'later'];
    const admin = { username: 'later-admin', password: 'a test password' };
    const org = await createOrg(services.db, { code: 'later', admin }, services.clock.now());
    const cutOff = seedOrg(services.db, org, { members: 2500, items: 5000 }, services.clock.now(), (members) => {
      if (members < 2500) throw new Error('cut off');
    });
    await expect(cutOff).rejects.toThrow('cut off');
    expect(await counted('later')).toEqual([1000, 2000, expect.any(Number), expect.any(Number)]);
    expect(await seed(...size)).toMatchObject({ code: 0 });
    expect((await counted('later')).slice(0, 2)).toEqual([2500, 5000]);
    expect(await faultsIn('later')).toEqual([]);
  });

  it('leaves exact counts of what it made', async () => {
    const org = await orgIdOf('fresh');
    const [, ...found] = await counted('fresh');
    const kept = [accrualItemResource, journalResource, activityHistoryResource].map(({ countAll }) =>
      countAll?.(services.db, org),
    );
    expect(await Promise.all(kept)).toEqual(found);
  });

  it('refuses an org that holds another seed, or anything else', async () => {
    const other = await seed('--members', '31', '--items', '400', '--org', 'fresh');
    expect(other).toMatchObject({ code: 1 });
    expect(other.err.at(-1)).toBe('The org fresh holds a seed of 30 members, 400 items; seed another org, with --org');
    await services.db.collection('programs').insertOne({ org: services.org._id, code: 'gold' });
    expect((await seed('--members', '1', '--items', '1', '--org', 'test')).err.at(-1)).toBe(
      'The org test holds the program gold; seed another org, with --org',
    );
  });

  it.each([
    [['--members', '0', '--items', '1'], '--members is 1 to 10000000'],
    [['--members', '1', '--items', '1001'], '--items is at most 1000 for each member'],
    [['--members', 'x', '--items', '1'], 'It must be a whole number.'],
    [['--members', '1', '--items', '1', '--org', 'No Such'], 'The code'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await seed(...args);
    expect(code).toBe(1);
    expect(err.join('\n')).toContain(message);
  });
});
