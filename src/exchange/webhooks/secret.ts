import { createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto';
import type { ObjectId } from 'bson';
import { Webhook as Signer } from 'standardwebhooks';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { Webhook } from '#records/webhooks/webhook';

/** Bytes of a secret. Standard Webhooks asks for 24 to 64. */
const secretBytes = 32;

/** What a secret is derived from. */
export type SecretSource = Pick<Infrastructure, 'config' | 'tokenKey'>;

/**
 * The secret of a webhook, `whsec_…`. It is derived from the key of the service, never stored, so that neither the
 * database nor a backup has it (decision 79).
 */
export function deriveSecret(source: SecretSource, webhook: ObjectId, generation: number): string {
  const info = `webhook secret ${webhook.toHexString()} ${generation}`;
  const bytes = hkdfSync('sha256', derivationKey(source), '', info, secretBytes);
  return `whsec_${Buffer.from(bytes).toString('base64')}`;
}

/** The first bytes of the hash of a secret. They tell whether it is the same, and nothing else. */
export function makeSecretCheck(secret: string): string {
  return hash('sha256', secret, 'hex').slice(0, 16);
}

/** The names of the headers of a message (Standard Webhooks). */
export interface SignedHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * Signs a message for a webhook: with its secret, and with earlier ones that are still valid.
 * @returns undefined when the secret is no longer the one that its receiver knows, because the key has changed
 */
export function signed(
  source: SecretSource,
  webhook: Pick<Webhook, '_id' | 'generation' | 'secretCheck' | 'earlier'>,
  { id, body, now }: { id: string; body: string; now: Date },
): SignedHeaders | undefined {
  const secret = deriveSecret(source, webhook._id, webhook.generation);
  if (makeSecretCheck(secret) !== webhook.secretCheck) return undefined;
  const earlier = webhook.earlier.filter(({ until }) => until > now);
  const secrets = [secret, ...earlier.map(({ generation }) => deriveSecret(source, webhook._id, generation))];
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((each) => new Signer(each).sign(id, now, body)).join(' '),
  };
}

function derivationKey({ config, tokenKey }: SecretSource): KeyObject {
  return config.WEBHOOK_KEY === undefined ? tokenKey : createSecretKey(config.WEBHOOK_KEY, 'utf8');
}
