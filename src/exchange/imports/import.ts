import { Type } from '@sinclair/typebox';
import { claimFields, hiddenClaimFields } from '#base/db/leases/claimedWork';
import { count, instant, list, named, oneOf, record, text } from '#base/schema/atoms';
import { failureFields, messageFields } from '#base/schema/messageShape';
import { type DocOf, defineResource } from '#base/schema/resource';
import { importsPath } from '#records/imports/importError';
import { importKindNames } from '#records/imports/importKindNames';
import { mappingShape } from '#records/imports/mappingShape';

/** The formats of files: comma-separated values with a header, or a JSON object on each line. */
export const fileFormats = ['csv', 'ndjson'] as const;

export type FileFormat = (typeof fileFormats)[number];

const optional = Type.Optional;

/** Files that are read in as a job by the workers (docs/design/bulk.md). */
export const importResource = defineResource({
  name: 'Import',
  path: importsPath,
  access: 'operation',
  tag: 'Imports and exports',
  permissions: { create: 'imports:create', update: 'imports:create', delete: 'imports:create' },
  fields: {
    kind: oneOf(importKindNames),
    format: oneOf(fileFormats),
    dryRun: Type.Boolean({ description: 'The rows are checked, and nothing is stored' }),
    status: oneOf(['Running', 'Done', 'Failed', 'Stopped'], { description: 'Running: it waits or runs' }),
    rows: count({ description: 'Rows that are done: created, updated, unchanged and failed' }),
    created: count(),
    updated: count(),
    unchanged: count({ description: 'Rows whose record is stored already as they say' }),
    failed: count({ description: 'Rows that were refused; GET /imports/{id}/errors has them' }),
    bytes: count({ description: 'Size of the file' }),
    bytesRead: count({ description: 'How much of the file is done' }),
    ignored: optional(list(text(200), 200, { description: 'Columns that are not read' })),
    warned: optional(count({ description: 'Rows whose key an earlier row of the file has' })),
    warnings: optional(
      list(
        record({
          line: count({ description: 'The line of the row' }),
          earlier: count({ description: 'The line of the latest row with its key' }),
          key: text(255),
        }),
        100,
        { description: 'The first of these rows' },
      ),
    ),
    mapping: optional(named('UsedMapping', mappingShape)),
    ...failureFields,
    waiting: optional(
      record({
        reason: text(200, { description: 'Why it does not go on at present' }),
        ...messageFields,
        nextTryAt: instant({ description: 'When it is tried again' }),
      }),
    ),
    startedAt: optional(instant()),
    finishedAt: optional(instant()),
    /** The columns of a CSV file. */
    columns: optional(list(Type.String({ maxLength: 1000 }), 200)),
    /** Parts of the file. */
    chunks: count(),
    /** Address of the client that sent the file; absent: a command on the host did. */
    ip: optional(text(45)),
    /** Permissions of the author on which rows may depend. */
    granted: list(text(100), 20),
    /** Rows of the next transaction, after larger ones ran out of time. */
    batchRows: optional(count()),
    ...claimFields,
    keptUntil: instant(),
  },
  hidden: ['columns', 'chunks', 'ip', 'granted', 'batchRows', ...hiddenClaimFields, 'keptUntil'],
  indexes: [
    { keys: { status: 1, _id: 1 }, where: { status: 'Running' } },
    { keys: { keptUntil: 1 }, expireAfterSeconds: 0 },
  ],
});

export type Import = DocOf<typeof importResource>;
