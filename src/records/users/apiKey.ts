import { Type } from '@sinclair/typebox';
import { instant, list, oneOf, record, text, withValues } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import { roleNames } from './permissions';

/** The most API keys of an org. */
export const apiKeysMax = 1000;

/** The most secrets of a key that are valid at once: the newest one, and older ones whose end has not come. */
export const secretsMax = 5;

const secretShape = record({
  /** SHA-256 of the key's text, base64url. */
  hash: Type.String(),
  /** When the secret ends, because a newer one replaces it; absent for the newest. */
  endsAt: Type.Optional(instant()),
});

/**
 * API keys: what servers send instead of a user's token. A key belongs to its org. The user with the same id represents
 * it in `createdBy`.
 */
export const apiKeyResource = defineResource({
  name: 'ApiKey',
  path: 'apikeys',
  access: 'user',
  tag: 'API keys',
  fields: {
    name: Type.String({
      'x-findable': 'name',
      minLength: 1,
      maxLength: 60,
      description: 'What uses the key; unique in the org',
    }),
    permissions: list(Type.String({ pattern: '^[a-z]+:[a-z]+$', maxLength: 60 }), 500, {
      default: [],
      uniqueItems: true,
      description: 'What the key may do, such as `activity:post`',
      examples: [['activity:post', 'members:read']],
    }),
    roles: list(oneOf(roleNames), roleNames.length, {
      default: [],
      uniqueItems: true,
      description: 'Roles whose permissions the key has too',
    }),
    expiresAt: Type.Optional(instant({ description: 'When the key ends; absent: never' })),
    rateLimit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Requests per minute; absent: `RATE_LIMIT`' }),
    ),
    prefix: text(30, { description: 'How the text of the key begins, to recognise it' }),
    lastUsedAt: Type.Optional(instant({ description: 'When it was last used, to the minute; absent: never' })),
    secrets: list(secretShape, secretsMax),
  },
  createRule: {
    anyOf: ['permissions', 'roles'].map((name) =>
      withValues([name], { [name]: { not: { type: 'null' }, minItems: 1 } }),
    ),
  },
  readOnly: ['prefix', 'lastUsedAt'],
  hidden: ['secrets'],
  indexes: [{ keys: { org: 1, name: 1 }, unique: true }],
});

export type ApiKey = DocOf<typeof apiKeyResource>;
