import { type Static, Type } from '@sinclair/typebox';
import { count, freeObject, instant, list, objectId, oneOf, record, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/** SHA-256 in hexadecimal. */
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', examples: ['0123456789abcdef'.repeat(4)] });

/** The last entry of an org's audit log, as the org keeps it. */
export const auditHead = record({ seq: Type.Integer({ minimum: 1 }), hash: sha256 });

export type AuditHead = Static<typeof auditHead>;

/** Most names in {@link AuditEntry.changed}. */
export const changedMax = 200;

/** Largest JSON text of `before`, and of `after`, in characters. */
export const sideMaxChars = 65_536;

/** Audit entries: who changed what, when and from where. Append-only, and chained by hash (docs/design/audit.md). */
export const auditResource = defineResource({
  name: 'AuditEntry',
  path: 'auditlog',
  access: 'user',
  tag: 'Audit',
  fields: {
    seq: Type.Integer({ minimum: 1, description: 'Its number in the log of the org: 1, 2, 3 … without a gap' }),
    at: instant({ description: 'When the change was made' }),
    user: objectId(undefined, { description: 'User or API key who made the change' }),
    username: text(200, { description: "The user's name at that time" }),
    via: oneOf(['api', 'host', 'service'], {
      description: 'api: a request; host: a command on the machine; service: the service itself, such as a timer',
    }),
    ip: Type.Optional(text(45, { description: 'Address of the client; only of requests' })),
    requestId: Type.Optional(text(200, { description: 'X-Request-Id; only of requests' })),
    action: text(40, { description: 'create, update, delete, or what else was done, such as publish, merge or erase' }),
    resource: text(60, { description: 'Path of the resource, such as programs' }),
    id: text(200, { description: '_id of the record; of rule sets the version, of jobs the name' }),
    changed: Type.Optional(
      list(Type.String(), changedMax, { description: 'Fields that an update changed, also those that are not shown' }),
    ),
    before: Type.Optional(freeObject({ description: 'The record before the change, as a read shows it' })),
    after: Type.Optional(freeObject({ description: 'The record after the change, as a read shows it' })),
    omitted: Type.Optional(
      count({ description: 'Values in before and after that are too large; they show their hash' }),
    ),
    hash: Type.String({ ...sha256, description: 'SHA-256 of the hash before and of this entry' }),
  },
  indexes: [
    { keys: { org: 1, seq: 1 }, unique: true },
    { keys: { org: 1, at: 1 } },
    { keys: { org: 1, resource: 1, id: 1, seq: 1 } },
    { keys: { org: 1, user: 1, seq: 1 } },
    { keys: { org: 1, action: 1, seq: 1 } },
  ],
});

export type AuditEntry = DocOf<typeof auditResource>;
