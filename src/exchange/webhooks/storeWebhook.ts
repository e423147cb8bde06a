import { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import type { InCommit } from '#base/db/transaction';
import { lastEventId } from '#platform/events/readEvents';
import { type CompanionWrite, writeRecord } from '#platform/orgs/writeRecord';
import type { OrgContext, WriteContext } from '#platform/recordWrites/writeContext';
import { type Webhook, webhookLimits, webhookResource } from '#records/webhooks/webhook';
import { type WebhookState, webhookStateResource } from '#records/webhooks/webhookState';
import { nobody } from './deliver/webhookLease';
import { receiverFault } from './receiverFault';
import { deriveSecret, makeSecretCheck } from './secret';
import { wakeWebhook } from './wakeWebhook';

/** The fields of a webhook that clients set. */
type Body = Partial<Pick<Webhook, 'url' | 'events' | 'description' | 'status'>>;

/**
 * Makes a webhook, which begins at the present end of the events.
 * @throws ServiceError 1200 when its URL is refused, or the org has as many as it may have
 */
export async function createWebhook(body: Body, context: WriteContext, inCommit?: InCommit<Webhook>): Promise<Webhook> {
  const { services, principal, machineClock } = context;
  const now = machineClock.now();
  const { db } = services;
  await requireReceiver(body.url ?? '', context);
  const _id = new ObjectId();
  const { url = '', events = [], status = 'Active', description } = body;
  const webhook: Webhook = {
    ...newStamps(principal, now, _id),
    url,
    events,
    status,
    ...(description === undefined ? {} : { description }),
    generation: 0,
    secretCheck: makeSecretCheck(deriveSecret(services, _id, 0)),
    earlier: [],
  };
  const state: WebhookState = {
    ...newStamps(principal, now, _id),
    cursor: await lastEventId(db, principal.org),
    made: 0,
    fannedOutAt: now,
    activeSince: now,
    failuresInRow: 0,
    wakes: 0,
    owner: nobody,
    leasedUntil: new Date(0),
  };
  const write = async (session?: ClientSession) => {
    const options = session && { session };
    const webhooks = collectionOf(db, webhookResource);
    const count = await webhooks.countDocuments({ org: principal.org }, options);
    if (count >= webhookLimits.perOrg) {
      throw invalidField('', 'maxItems', message('webhooks.tooMany', { max: webhookLimits.perOrg }));
    }
    await webhooks.insertOne(webhook, options);
    await collectionOf(db, webhookStateResource).insertOne(state, options);
  };
  const companion = inCommit && ((session: ClientSession) => inCommit(webhook, session));
  // In turn, as definitions are written, so that two creations at once cannot both be the last one allowed.
  await writeRecord(db, { ...webhookResource, isDefinition: true }, principal.org, write, { companion });
  return webhook;
}

/**
 * The fields that an update stores. A webhook that becomes active is no longer paused for a reason.
 * @throws ServiceError 1200 when the URL is refused
 */
export async function prepareWebhook(body: Body, context: OrgContext): Promise<object> {
  if (body.url !== undefined) await requireReceiver(body.url, context);
  // A field that is undefined is removed.
  return body.status === undefined ? body : { ...body, pausedBecause: undefined, fault: undefined };
}

/**
 * The companion write of an update that makes a webhook active: its deliveries are tried at once, and for three more
 * days.
 */
export function resumed(
  previous: Webhook,
  fields: Partial<Webhook>,
  context: WriteContext,
): CompanionWrite | undefined {
  if (previous.status === 'Active' || fields.status !== 'Active') return undefined;
  const { services, machineClock } = context;
  const now = machineClock.now();
  const set = { activeSince: now, failuresInRow: 0, heldUntil: now };
  return (session) => wakeWebhook(services.db, previous, { now, set, session });
}

async function requireReceiver(url: string, { services: { config } }: OrgContext): Promise<void> {
  const fault = await receiverFault(url, { isPrivateAllowed: config.WEBHOOK_PRIVATE === 'on' });
  if (fault !== undefined) throw invalidField('url', 'format', fault);
}
