import { type Static, Type } from '@sinclair/typebox';
import { collectionOf } from '#base/db/collections';
import { updateStamps } from '#base/db/records';
import { GuardFailed, inTransaction, withRetries } from '#base/db/transaction';
import { instant, objectId, record } from '#base/schema/atoms';
import { audit } from '#platform/audit/audit';
import { requestAuditor } from '#platform/audit/auditor';
import { recordChange } from '#platform/audit/change';
import { readPathId } from '#platform/http/collection/readPathId';
import { type Answer, ok, type Request } from '#platform/http/route';
import { storedRecord } from '#platform/recordWrites/storedRecord';
import { webhookLimits, webhookResource } from '#records/webhooks/webhook';
import { deriveSecret, makeSecretCheck } from './secret';

const daySeconds = 86_400;

/** The body of `POST /webhooks/{id}/rotate`. */
export const rotateBody = record({
  overlapSeconds: Type.Integer({
    minimum: 0,
    maximum: 7 * daySeconds,
    default: daySeconds,
    description: 'How long messages are signed with the earlier secret too',
  }),
});

/** The answer: the only one that shows the new secret. */
export const rotated = record({
  _id: objectId('Webhook'),
  secret: Type.String({ description: 'The new secret; shown only here' }),
  earlierUntil: instant({ description: 'Until then the earlier secret signs too' }),
});

/** `POST /webhooks/{id}/rotate`: gives a webhook a new secret. For a time messages have the signatures of both. */
export async function rotateSecret(request: Request): Promise<Answer> {
  const { services, principal } = request;
  const now = request.machineClock.now();
  const { overlapSeconds } = request.body as Static<typeof rotateBody>;
  const earlierUntil = new Date(now.getTime() + overlapSeconds * 1000);
  const attempt = async () => {
    const webhook = await storedRecord(webhookResource, request, readPathId(request));
    const generation = webhook.generation + 1;
    const secret = deriveSecret(services, webhook._id, generation);
    // A shorter overlap holds for the secrets before too: who rotates because of a leak ends them all.
    const earlier = [...webhook.earlier, { generation: webhook.generation, until: earlierUntil }]
      .map(({ generation: of, until }) => ({ generation: of, until: until < earlierUntil ? until : earlierUntil }))
      .filter(({ until }) => until > now)
      .slice(-webhookLimits.earlierSecrets);
    const set = { generation, secretCheck: makeSecretCheck(secret), earlier, ...updateStamps(principal, now) };
    const same = { _id: webhook._id, org: principal.org, generation: webhook.generation };
    await inTransaction(services.db, async (session) => {
      const webhooks = collectionOf(services.db, webhookResource);
      const after = await webhooks.findOneAndUpdate(same, { $set: set }, { session, returnDocument: 'after' });
      if (!after) throw new GuardFailed();
      const change = recordChange(webhookResource, { action: 'rotate', id: webhook._id }, { before: webhook, after });
      await audit(services.db, session, requestAuditor(request), now, [change]);
    });
    return ok({ _id: webhook._id, secret, earlierUntil });
  };
  return withRetries(attempt, { now: () => services.clock.now().getTime() });
}
