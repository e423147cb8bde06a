import { Webhook } from 'standardwebhooks';
import type { components } from './generated/api';

/**
 * An event as a webhook delivers it; `type` tells what its `data` has. A delivery that is repeated has the same `id`.
 * `program` and `member` are null where it concerns none.
 */
export type WebhookEvent = components['schemas']['Event'] | TestEvent;

/** The event of `POST /webhooks/{id}/test`. */
export interface TestEvent {
  id: string;
  type: 'webhook.test';
  /** ISO 8601, UTC. */
  at: string;
  program: null;
  member: null;
  data: Record<string, never>;
}

/**
 * Checks that a delivery comes from the service, and returns its event.
 * @param secret the secret of the webhook, `whsec_…`
 * @param headers the headers of the request, with names in lower case
 * @param body the body as it was received, not parsed
 * @throws WebhookVerificationError of the package `standardwebhooks` when the signature or the time is not right
 */
export function verifyWebhook(
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string | Uint8Array,
): WebhookEvent {
  const single = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return new Webhook(secret).verify(text, Object.fromEntries(single)) as WebhookEvent;
}
