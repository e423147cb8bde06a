import type { ObjectId } from 'bson';
import { createInboxDrain } from '#activities/inbox/inboxDrain';
import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { limitCounterResource } from '#records/activities/limitCounter';
import type { Response } from '../support/client';
import { contentHashes, databaseOf } from '../support/stores';
import type { World } from '../support/world';

type Body = Record<string, unknown>;

/** All requests that a client makes with activities in these tests, and reads of their results. */
export interface ActivityApi {
  post(body: unknown, query?: string, headers?: Record<string, string>): Promise<Response>;
  /**
   * Posts an activity of this type, which must be processed.
   * @returns its id
   */
  processed(type: string, memberID: ObjectId, fields?: Body): Promise<string>;
  cancel(id: string, body?: unknown, query?: string): Promise<Response>;
  /** Reads a purse of a member, settled. */
  purse(memberID: ObjectId, name?: string): Promise<Response['body']>;
  /** Reads the balance of a purse of a member, settled. */
  balance(memberID: ObjectId, name?: string): Promise<number>;
  /** Reads the accrual items of a member, earliest first. */
  lots(memberID: ObjectId): Promise<Response['body']>;
  history(id: string): Promise<Response['body']>;
  /** A hash of each collection that has documents: when two are equal, nothing was written in between. */
  dump(): Promise<Record<string, string>>;
  /** The mismatches that reconcile finds. */
  mismatches(): Promise<unknown[]>;
  /** Forgets what limits, offers and rewards have used, also in histories, so that a test begins with unused ones. */
  forgetUses(): Promise<void>;
  /** Processes all queued activities, as a worker does. */
  drain(): Promise<void>;
}

export function activityApi(world: World): ActivityApi {
  const client = world.server.as('client');
  const post: ActivityApi['post'] = (body, query = '', headers = {}) =>
    client.post(`/activity${query}`, body, { headers });
  const list = async (path: string) => (await client.get(path)).body;
  const purse: ActivityApi['purse'] = async (memberID, name = 'Points') => {
    const purses = await list(`/members/${memberID}/purses`);
    return purses.find((each: { name: string }) => each.name === name);
  };
  return {
    post,
    async processed(type, memberID, fields = {}) {
      const { body } = await post({ type, memberID, ...fields });
      if (body.result?.data.status !== 'Processed') throw new Error(`not processed: ${JSON.stringify(body)}`);
      return body.result.data.activityId;
    },
    cancel: (id, body, query = '') => client.post(`/activity/${id}/cancel${query}`, body),
    purse,
    balance: async (memberID, name) => (await purse(memberID, name)).balance,
    lots: (memberID) => list(`/accrualitems?member=${memberID}&sort=dtEarned,_id`),
    history: (id) => list(`/activityhistories/${id}`),
    dump: () => contentHashes(databaseOf(world.services.db)),
    async mismatches() {
      const found: unknown[] = [];
      await reconcile(world.services, { onMismatch: (mismatch) => found.push(mismatch) });
      return found;
    },
    async forgetUses() {
      const { db } = world.services;
      await collectionOf(db, limitCounterResource).deleteMany({});
      const used = { 'effects.counters.0': { $exists: true } };
      await db.collection(activityHistoryResource.path).updateMany(used, { $set: { 'effects.counters': [] } });
    },
    async drain() {
      const inbox = createInboxDrain(world.services);
      await inbox.drain();
      await inbox.close();
    },
  };
}

/** The returned points of a cancel, from its log. */
export function lines({ body }: Response): { did: string; points: number }[] {
  return body.result.log.entries.flatMap(({ action, results }: { action: string; results: Body }) =>
    action === 'giveBack' ? [{ did: results.did, points: results.points }] : [],
  );
}

/** The error codes of a result. */
export function codes({ body }: Response): number[] {
  return body.result.errors.map(({ code }: { code: number }) => code);
}
