import type { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { tierHistoryResource } from '#members/tiers/tierHistory';
import { type Member, memberResource } from '#records/members/member';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { makeTierPolicy } from '../../support/definitions';
import { addWorld, earnRule, openWorld, type World } from '../../support/world';

/** A world with a tier policy named Status, and the steps of tier tests. The clock stands still. */
export interface TierWorld {
  world: World;
  policy: TierPolicy;
  /** Posts an activity that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the API
  post(member: Pick<Member, '_id'>, value: number, more?: Record<string, unknown>): Promise<any>;
  cancel(id: string, body?: Record<string, unknown>): ReturnType<ReturnType<World['server']['as']>['post']>;
  stored(id: ObjectId): Promise<Member | null>;
  /** The name of the level of the member's first tier. */
  levelOf(id: ObjectId): Promise<string | undefined>;
  /** Why, from and to of each change of the member's tiers. */
  whys(id: ObjectId): Promise<unknown[][]>;
  runTimer(): ReturnType<ReturnType<World['server']['as']>['post']>;
  mismatches(): Promise<string[]>;
}

/** Makes a world on 21 November 2026 in a new org. The tier policy is created before the rules that name it. */
async function addTierWorld(
  host: World,
  fields: Partial<TierPolicy> = {},
  rules: Record<string, unknown>[] = [earnRule],
): Promise<TierWorld> {
  host.services.clock.set('2026-11-21T12:00:00.000Z');
  const world = await addWorld(host, { rules: [] });
  const { server, services, author, program } = world;
  const policy = await makeTierPolicy(services.db, author, program, fields);
  await world.publish(rules);
  const stored = (id: ObjectId) => collectionOf(services.db, memberResource).findOne({ _id: id });
  return {
    world,
    policy,
    stored,
    async post(member, value, more = {}) {
      const body = { type: 'Accrual', memberID: member._id.toHexString(), value, ...more };
      const { status, body: answer } = await server.as('client').post('/activity', body);
      expect([status, answer.result?.errors]).toEqual([200, []]);
      return answer;
    },
    cancel: (id, body = {}) => server.as('client').post(`/activity/${id}/cancel`, body),
    levelOf: async (id) => (await stored(id))?.tiers[0]?.level.name,
    async whys(id) {
      const rows = collectionOf(services.db, tierHistoryResource).find({ member: id }).sort({ _id: 1 });
      return (await rows.toArray()).map(({ why, from, to }) => [why, from?.name, to?.name]);
    },
    runTimer: () => server.as('admin').post('/jobs/tiers/run'),
    async mismatches() {
      const found: string[] = [];
      await reconcile(services, { org: author.org, onMismatch: ({ message }) => found.push(message) });
      return found;
    },
  };
}

/** A rule for level Gold: it awards the base points a second time. */
export const multiplier = {
  ...earnRule,
  key: 'double',
  name: 'Gold earns double',
  priority: 5,
  tiers: ['Gold'],
};

/** A rule that sets a level. */
export const promote = {
  key: 'promote',
  name: 'A Referral makes Gold',
  activityTypes: ['Referral'],
  priority: 20,
  actions: [{ type: 'setTier', policy: 'Status', level: 'Gold' }],
};

/** Starts and closes tier worlds for the tests of a file; each test opens its own. */
export function tierWorlds() {
  let host: World | undefined;
  let opened: TierWorld | undefined;
  const tiered = (): TierWorld => {
    if (!opened) throw new Error('the test has opened no world');
    return opened;
  };
  return {
    async start(): Promise<void> {
      host = await openWorld({ rules: [] });
    },
    close: () => host?.close(),
    async open(fields?: Partial<TierPolicy>, rules?: Record<string, unknown>[]): Promise<void> {
      if (!host) throw new Error('the file has started nothing');
      opened = await addTierWorld(host, fields, rules);
    },
    get tiered() {
      return tiered();
    },
    get world() {
      return tiered().world;
    },
  };
}
