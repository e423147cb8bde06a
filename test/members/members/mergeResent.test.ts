import fc from 'fast-check';
import type { Member } from '#records/members/member';
import { openServices, type Services } from '#server/services/services';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import type { Client } from '../../support/client';
import { scaled } from '../../support/scale';
import { serveTest, type TestServer } from '../../support/server';
import { earnRule, openWorld, type World } from '../../support/world';

/** Name of the API's connections whose commits fail, so that connections of other tests do not. */
const appName = 'mergeResent';

let world: World;
let acting: ActivityApi;
let beside: Services;
let failing: TestServer;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  acting = activityApi(world);
  const uri = new URL(world.services.config.MONGODB_URI ?? '');
  uri.searchParams.set('appName', appName);
  beside = await openServices({ ...world.services.config, MONGODB_URI: uri.href }, { clock: world.services.clock });
  failing = await serveTest({ ...beside, org: world.services.org, users: world.services.users });
});
afterAll(async () => {
  await failing.close();
  await beside.close();
  await world.close();
});

const merge = (through: Client, into: Pick<Member, '_id'>, from: readonly Pick<Member, '_id'>[]) =>
  through.post(`/members/${into._id}/merge`, { memberIds: from.map(({ _id }) => _id) });

/** Merges while each commit tells a failure though it takes effect. */
async function mergedWhileFailing(into: Member, from: readonly Member[]) {
  await failCommits('alwaysOn');
  try {
    return await merge(failing.as('admin'), into, from);
  } finally {
    await failCommits('off');
  }
}

/** Makes members. The n-th earns 2^n points, so a sum shows whose points it includes. */
async function membersWithPoints(count: number): Promise<Member[]> {
  const members = await Promise.all(Array.from({ length: count }, () => world.addMember()));
  await Promise.all(members.map(({ _id }, n) => acting.processed('Accrual', _id, { value: 2 ** n })));
  return members;
}

/** From now on commits take effect, but their answers say that the outcome is unknown. */
const failCommits = (mode: 'alwaysOn' | 'off') =>
  world.services.db.db?.admin().command({
    configureFailPoint: 'failCommand',
    mode,
    data: {
      failCommands: ['commitTransaction'],
      appName,
      writeConcernError: { code: 91, codeName: 'ShutdownInProgress', errmsg: 'made by a test' },
    },
  });

test('a merge that took effect but was answered 503 answers the survivor when it is repeated', async () => {
  const [survivor, ...others] = (await membersWithPoints(3)) as [Member, Member, Member];
  const first = await mergedWhileFailing(survivor, others);
  const again = await merge(failing.as('admin'), survivor, others);
  expect([first.status, again.status]).toEqual([503, 200]);
  const present = await world.server.as('admin').get(`/members/${survivor._id}`);
  expect(again.body).toEqual(present.body);
  expect(again.headers.get('etag')).toBe(`"v${present.body.version}"`);
  expect(await acting.balance(survivor._id)).toBe(7);
  expect(await acting.mismatches()).toEqual([]);
});

test('merges in any order, each sent twice, end and answer as if each was sent once', async () => {
  const count = 5;
  const index = fc.nat({ max: count - 1 });
  const step = fc.record({ into: index, from: fc.array(index, { minLength: 1, maxLength: 3 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
      const members = await membersWithPoints(count);
      const book = bookOf(count);
      const at = (n: number) => members[n] as Member;
      for (const { into, from } of steps) {
        const expected = book.merge(into, from);
        const first = await merge(world.server.as('admin'), at(into), from.map(at));
        const again = await merge(world.server.as('admin'), at(into), from.map(at));
        expect([first.status, again.status]).toEqual([expected, expected]);
        if (expected !== 200) continue;
        expect(again.body).toEqual(first.body);
        expect((await acting.purse(at(into)._id)).balance).toBe(book.points(into));
      }
    }),
    { numRuns: scaled(12) },
  );
  expect(await acting.mismatches()).toEqual([]);
});

/** Records merges as sets of members, by the rules of docs/design/members.md, also for repeated merges. */
function bookOf(count: number) {
  const groups = Array.from({ length: count }, (_unused, n) => new Set([n]));
  const holder = (n: number) => groups.findIndex((group) => group.has(n));
  return {
    merge(into: number, from: readonly number[]): 200 | 410 | 422 {
      if (holder(into) !== into) return 410;
      const isRefused = (n: number) => n === into || (holder(n) !== n && holder(n) !== into);
      if (new Set(from).size < from.length || from.some(isRefused)) return 422;
      for (const n of from) {
        const left = holder(n);
        if (left === into) continue;
        for (const member of groups[left] ?? []) groups[into]?.add(member);
        groups[left]?.clear();
      }
      return 200;
    },
    points: (n: number) => [...(groups[n] ?? [])].reduce((sum, member) => sum + 2 ** member, 0),
  };
}
