import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { distinctIds } from '#base/db/records';
import { lastEventId } from '#platform/events/readEvents';
import { webhookResource } from '#records/webhooks/webhook';
import { type WebhookState, webhookStateResource } from '#records/webhooks/webhookState';
import { undelivered } from './webhookLease';

/** The webhooks to look at: those to deliver to, and those that were deleted and still have records. */
export interface DueWebhooks {
  due: WebhookOfOrg[];
  deleted: WebhookOfOrg[];
}

/** A webhook and its org, by which its records are found. */
export type WebhookOfOrg = Pick<WebhookState, '_id' | 'org'>;

/** Finds the webhooks that no worker delivers to and for which something is to be done. Without webhooks, one read. */
export async function findDue(db: Connection, now: Date): Promise<DueWebhooks> {
  const states = await collectionOf(db, webhookStateResource).find(undelivered).toArray();
  if (states.length === 0) return { due: [], deleted: [] };
  const webhooks = await collectionOf(db, webhookResource)
    .find({ org: { $in: distinctIds(states.map(({ org }) => org)) }, _id: { $in: states.map(({ _id }) => _id) } })
    .project<{ _id: ObjectId; status: string }>({ status: 1 })
    .toArray();
  const statusOf = new Map(webhooks.map(({ _id, status }) => [_id.toHexString(), status]));
  const ends = await lastEvents(db, states);
  const due = states.filter(({ _id, org, dueAt, roomAt, cursor = '' }) => {
    if (dueAt && dueAt <= now) return true;
    const hasEvents = cursor < (ends.get(org.toHexString()) ?? '');
    return statusOf.get(_id.toHexString()) === 'Active' && hasEvents && (!roomAt || roomAt <= now);
  });
  return {
    due: due.filter(({ _id }) => statusOf.has(_id.toHexString())),
    deleted: states.filter(({ _id }) => !statusOf.has(_id.toHexString())),
  };
}

/** The ids of the last events of the orgs of these webhooks. */
async function lastEvents(db: Connection, states: readonly WebhookState[]): Promise<Map<string, string>> {
  const orgs = new Map(states.map(({ org }) => [org.toHexString(), org]));
  const ends = await Promise.all([...orgs].map(async ([key, org]) => [key, await lastEventId(db, org)] as const));
  return new Map(ends);
}
