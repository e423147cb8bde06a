import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fc, test as property } from '@fast-check/jest';
import { dayMs } from '#base/common/durations';
import { reconcile } from '#members/reconcile/reconcile';
import { archiveLimits, writeArchive } from '#operations/archive/writeArchive';
import { type ArchiveKind, archiveKinds } from '#records/archives/archiveVolume';
import type { Member } from '#records/members/member';
import { openVariedWorld, type VariedWorld } from '../../members/reconcile/variedWorld';
import { scaled, seedsOf } from '../../support/scale';
import { databaseOf } from '../../support/stores';

/** Two worlds in which the same happens. One of them is archived now and then; nobody who asks sees a difference. */
const root = mkdtempSync(path.join(tmpdir(), 'loyalty-same-world-'));
let worlds: [archived: VariedWorld, other: VariedWorld];
let members: [Member[], Member[]];
/** The activities of both worlds that were processed, with their day. */
let done: { ids: [string, string]; at: number }[];

beforeAll(async () => {
  worlds = [await openVariedWorld(), await openVariedWorld()];
  const start = worlds[0].world.services.clock.now();
  for (const { world } of worlds) world.services.clock.set(start);
});
afterAll(async () => {
  for (const { world } of worlds) await world.close();
  rmSync(root, { recursive: true });
});

/** A step, with random numbers that choose members, activities and amounts. */
interface Step {
  do: string;
  value: number;
  who: number;
  which: number;
}

const rules = ['earn', 'earn', 'bonus', 'held', 'pooled', 'count', 'issue', 'spend', 'spend', 'swap', 'send'];
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...rules, 'coupon') },
    { weight: 3, arbitrary: fc.constantFrom('cancel', 'return', 'days', 'days', 'archive') },
    { weight: 1, arbitrary: fc.constantFrom('merge', 'timers', 'years') },
  ),
  value: fc.integer({ min: 1, max: 120 }),
  who: fc.nat(),
  which: fc.nat(),
});

const now = () => worlds[0].world.services.clock.now().getTime();
const both = <T>(work: (varied: VariedWorld, side: 0 | 1) => Promise<T>): Promise<[T, T]> =>
  Promise.all([work(worlds[0], 0), work(worlds[1], 1)]);

/** Activities that an archive may have taken are no longer cancelled; the contract says so. */
const young = () => done.filter(({ at }) => at > now() - archiveLimits.daysMin * dayMs);

async function take({ do: what, value, who, which }: Step): Promise<void> {
  for (const { world } of worlds) world.services.clock.advance(1000);
  const member = (side: 0 | 1, n = who) => members[side][n % members[side].length] as Member;
  const target = young()[which % Math.max(1, young().length)];
  if (rules.includes(what) || what === 'coupon') {
    const ids = await both((varied, side) => {
      const ext = { to: member(side, which).loyaltyID };
      const coupon = what === 'coupon' ? { couponCode: 'TEN' } : {};
      const externalTxnId = `${member(side)._id}-${now()}`;
      return varied.act(member(side)._id, what === 'coupon' ? 'earn' : what, value, { ext, externalTxnId, ...coupon });
    });
    if (ids[0] && ids[1]) done.push({ ids: [ids[0], ids[1]], at: now() });
    expect(ids.map((id) => id !== undefined)).toEqual([true, true]);
  } else if ((what === 'cancel' || what === 'return') && target) {
    const part = what === 'return' ? { value: Math.ceil(value / 4) } : {};
    const answers = await both((varied, side) => varied.acting.cancel(target.ids[side], part));
    expect(answers[0].status).toBe(answers[1].status);
    expect(answers[0].body.result?.data.status).toBe(answers[1].body.result?.data.status);
  } else if (what === 'days') for (const { world } of worlds) world.services.clock.advance(value * dayMs);
  else if (what === 'years') for (const { world } of worlds) world.services.clock.advance(pointsDays * dayMs);
  else if (what === 'timers') await both((varied) => varied.runTimers());
  else if (what === 'merge' && members[0].length > 2) {
    const [into, from] = [who % members[0].length, which % members[0].length];
    if (into === from) return;
    await both((varied, side) =>
      varied.world.server
        .as('admin')
        .post(`/members/${member(side, into)._id}/merge`, { memberIds: [member(side, from)._id] }),
    );
    for (const side of [0, 1] as const) members[side] = members[side].filter((_each, n) => n !== from);
  } else if (what === 'archive') await archive();
}

/** Points are archived when forecasts no longer read them. */
const pointsDays = 1130;

const archivedInAll: Record<ArchiveKind, number> = { histories: 0, submissions: 0, points: 0 };

async function archive(): Promise<void> {
  const { services } = worlds[0].world;
  const { faulty, ...moved } = await writeArchive(services.db, {
    org: services.org,
    before: new Date(now() - archiveLimits.daysMin * dayMs),
    root,
    clock: services.clock,
    onProgress: () => undefined,
  });
  expect(faulty).toBe(0);
  for (const kind of archiveKinds) archivedInAll[kind] += moved[kind];
}

/** Fields whose values are ids or moments of one world. */
const own = new Set(
  (
    '_id org createdAt createdBy updatedAt updatedBy member activity accrualItem purse policyId program rule lastAggDate ' +
    'memberId mergeIds code id issuedAt since reward offer'
  ).split(' '),
);

/** A record without what differs between two worlds in which the same happened: ids, and the order by ids. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(comparable(each))).sort();
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !own.has(name));
  return Object.fromEntries(fields.map(([name, each]) => [name, comparable(each)]));
}

/** All that members and reports can see of sums. */
async function shown(varied: VariedWorld, side: 0 | 1): Promise<unknown> {
  const { server, services, author } = varied.world;
  const admin = server.as('admin');
  const found: unknown[] = [];
  for (const { _id } of members[side]) {
    const query = encodeURIComponent(JSON.stringify({ memberId: _id }));
    const of = async (route: string) => (await admin.get(route)).body;
    for (const period of ['daily', 'monthly', 'year', 'lifetime'])
      found.push(comparable(await of(`/${period}aggregates?query=${query}&limit=1000`)));
    const { tiers, purses, segments, status } = await of(`/members/${_id}`);
    found.push(status, comparable(tiers), comparable(purses), comparable(segments));
    found.push(comparable(await of(`/members/${_id}/purses`)));
  }
  const counters = await databaseOf(services.db).collection('limitcounters').find({ org: author.org }).toArray();
  return [...found, counters.map(({ used }) => Number(used)).sort((a, b) => a - b)];
}

type Entry = Record<'available' | 'escrow' | 'debt' | 'points', number> & { at: string; kind: string; purse: string };

/**
 * What a statement moved at each moment, by kind. Of lots with the same dates the one with the lower id goes first, which
 * may be another one in another world.
 */
function totals(statement: Entry[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { at, kind, available, escrow, debt } of statement)
    for (const [of, points] of Object.entries({ available, escrow, debt })) {
      const key = `${at} ${kind} ${of}`;
      sums[key] = (sums[key] ?? 0) + points;
    }
  return sums;
}

/** The statement of a member by purse. */
async function statements({ world }: VariedWorld, { _id }: Member): Promise<Entry[][]> {
  const { body } = await world.server.as('admin').get(`/members/${_id}/statement?limit=1000`);
  const purses = new Map(
    (body as Entry[]).map(({ purse }) => [purse, (body as Entry[]).filter((each) => each.purse === purse)]),
  );
  return [...purses.values()];
}

/**
 * Statements say the same of each purse: its entries add up to the same, and those after the archived ones are the same.
 * The policies of both worlds were made in the same order, and so are their purses here.
 */
async function compareStatements(): Promise<void> {
  for (const [n, member] of members[0].entries()) {
    const other = members[1][n] as Member;
    const [archived, whole] = [await statements(worlds[0], member), await statements(worlds[1], other)];
    expect(archived).toHaveLength(whole.length);
    for (const [index, entries] of archived.entries()) {
      const all = whole[index] as Entry[];
      const sum = (rows: Entry[]) => rows.reduce((points, each) => points + each.points, 0);
      expect(sum(entries)).toBe(sum(all));
      // A member that was merged into this one has an opening of its own.
      const openings = entries.filter(({ kind }) => kind === 'opening').map(({ at }) => at);
      const since = openings.sort().at(-1) ?? '';
      const later = (rows: Entry[]) => totals(rows.filter(({ at }) => at > since));
      expect(later(entries)).toEqual(later(all));
    }
  }
}

async function mismatches(): Promise<string[]> {
  const messages: string[] = [];
  const { services, author } = worlds[0].world;
  await reconcile(services, { org: author.org, onMismatch: ({ message }) => messages.push(message) });
  return messages;
}

for (const seed of seedsOf(1178)) {
  property.prop([fc.array(step, { minLength: 30, maxLength: 50 })], {
    seed,
    numRuns: scaled(4, seed),
    endOnFailure: true,
  })(`a world that is archived at random moments has the sums of one that is not (seed ${seed})`, async (steps) => {
    done = [];
    members = await both(({ addMember }) => Promise.all(Array.from({ length: 4 }, () => addMember())));
    for (const each of steps) await take(each);
    await both((varied) => varied.runTimers());
    // The latest three activities of a member stay. These have no points, so that all points may go.
    for (const _each of [1, 2, 3])
      for (const who of members[0].keys()) await take({ do: 'count', value: 1, who, which: 0 });
    for (const days of [200, pointsDays]) {
      for (const { world } of worlds) world.services.clock.advance(days * dayMs);
      await both((varied) => varied.runTimers());
      await archive();
      await both((varied) => varied.runTimers());
      await compare();
    }
    // What comes after the archive finds the same sums as without it.
    for (const each of steps.filter(({ do: what }) => what !== 'years').slice(0, 15)) await take(each);
    await both((varied) => varied.runTimers());
    await compare();
  });
}

async function compare(): Promise<void> {
  const [first, second] = await both(shown);
  expect(first).toEqual(second);
  await compareStatements();
  expect(await mismatches()).toEqual([]);
}

test('the archive has records of every kind of these worlds', () => {
  expect(Object.entries(archivedInAll).filter(([, moved]) => moved < 10)).toEqual([]);
});
