import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { webhookDeliveryResource } from '#records/webhooks/webhookDelivery';
import { webhookReplayResource } from '#records/webhooks/webhookReplay';
import { webhookStateResource } from '#records/webhooks/webhookState';

/** Most deliveries that are deleted in one go. */
const pageMax = 1000;

/** Deletes what a deleted webhook left behind. The state goes last, so that a killed worker leaves nothing. */
export async function forgetWebhook(db: Connection, webhook: ObjectId): Promise<void> {
  const org = (await collectionOf(db, webhookStateResource).findOne({ _id: webhook }))?.org;
  if (!org) return;
  const deliveries = collectionOf(db, webhookDeliveryResource);
  for (;;) {
    const page = await deliveries.find({ org, webhook }).project({ _id: 1 }).limit(pageMax).toArray();
    if (page.length > 0) await deliveries.deleteMany({ _id: { $in: page.map(({ _id }) => _id) } });
    if (page.length < pageMax) break;
  }
  await collectionOf(db, webhookReplayResource).deleteMany({ org, webhook });
  await collectionOf(db, webhookStateResource).deleteOne({ _id: webhook });
}
