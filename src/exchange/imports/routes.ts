import { Type } from '@sinclair/typebox';
import { collectionOf } from '#base/db/collections';
import { byName, oneOf, text } from '#base/schema/atoms';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes, readingRoutes } from '#platform/http/collection/collectionRoutes';
import { readPathId } from '#platform/http/collection/readPathId';
import { type Answer, defineRoute, ok, type Request, type Route } from '#platform/http/route';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { storedRecord, visible } from '#platform/recordWrites/storedRecord';
import { importKindNames } from '#records/imports/importKindNames';
import { importMappingResource } from '#records/imports/importMapping';
import { mappingFields } from '#records/imports/mappingShape';
import { bomArgument } from './bomArgument';
import { readFailedRows } from './failedRows';
import { deleteFile } from './file/receiveFile';
import { fileFormats, importResource } from './import';
import { prepareMapping } from './mapping/prepareMapping';
import { mediaTypes, receiveImport, startImport } from './startImport';

const startRoute = defineRoute({
  method: 'POST',
  path: '/imports',
  permission: importResource.permissions.create,
  summary: 'Import a file of records',
  description:
    'The body is the file, as text/csv or application/x-ndjson, of at most 2 GB. The answer is a job: read it at its ' +
    'Location until status is not Running. It needs the permissions of the single writes too.',
  query: {
    kind: { description: 'What the rows are', schema: oneOf(importKindNames), required: true },
    format: { description: 'As the media type says', schema: oneOf(fileFormats) },
    dryRun: { description: 'true: check every row, and store nothing', schema: Type.Boolean() },
    mapping: { description: 'The name of a kept mapping; other arguments go before it', schema: text(100) },
    map: {
      description: 'map[<column of the file>]=<field>; a field that begins with # is not read',
      schema: byName(text(200), 200),
      isBracketed: true,
    },
    set: { description: 'set[<field>]=<value of every row>', schema: byName(text(1000), 200), isBracketed: true },
    dateFormat: { description: 'How dates are written, such as dd.MM.yyyy', schema: mappingFields.dateFormat },
    timezone: { description: 'The time zone of dates in dateFormat', schema: mappingFields.timezone },
    decimalComma: { description: 'Whether decimals have a comma', schema: Type.Boolean() },
    amountFactor: {
      description: 'What the value of activities is multiplied with',
      schema: mappingFields.amountFactor,
    },
    pointsFactor: { description: 'What points are multiplied with', schema: mappingFields.pointsFactor },
  },
  receive: receiveImport,
  receives: {
    types: [mediaTypes.csv, mediaTypes.ndjson],
    example: 'sku,name,price,tags\nTEA-1,Green tea,250,"[""hot""]"\n',
  },
  key: 'withEffect',
  responses: { 202: importResource.answer },
  answerHeaders: { 202: ['Location'] },
  errors: [429],
  handle: startImport,
});

const errorsRoute = defineRoute({
  method: 'GET',
  path: '/imports/:id/errors',
  permission: importResource.permissions.read,
  summary: 'Download the rows that failed as a file',
  description: 'The rows have the format of the file, each with its line and its faults in columns that begin with #.',
  query: {
    bom: bomArgument,
    format: { description: 'ndjson: the rows as JSON, also those of a CSV file', schema: oneOf(['ndjson']) },
  },
  produces: Object.values(mediaTypes).join(', '),
  responses: { 200: Type.String() },
  answerHeaders: { 200: ['Content-Disposition'] },
  handle: readFailedRows,
});

const stopRoute = defineRoute({
  method: 'POST',
  path: '/imports/:id/stop',
  permission: importResource.permissions.create,
  summary: 'Stop an import',
  description: 'Rows that are stored stay. An import that has ended is answered as it is.',
  key: 'repeatable',
  responses: { 200: importResource.answer },
  handle: stopImport,
});

const mappingWrites = defineWrites(importMappingResource, {
  prepare: async (body, _context, previous) => prepareMapping(body, previous),
});

/** Routes of imports. */
export const importRoutes: Route[] = [
  startRoute,
  errorsRoute,
  stopRoute,
  ...collectionRoutes(mappingWrites, { operations: allOperations }),
  ...readingRoutes(importResource, { operations: ['list', 'count', 'read'] }),
];

/** `POST /imports/{id}/stop`: ends an import after the batch that is being written. What is stored stays. */
async function stopImport(request: Request): Promise<Answer> {
  const { services, principal, now } = request;
  const _id = readPathId(request);
  const job = await storedRecord(importResource, request, _id);
  if (job.status === 'Running') {
    const end = { status: 'Stopped' as const, finishedAt: now, updatedAt: now, updatedBy: principal.userId };
    await collectionOf(services.db, importResource).updateOne(
      { _id, org: principal.org, status: 'Running' },
      { $set: end },
    );
    await deleteFile(services, job);
  }
  return ok(visible(importResource, await storedRecord(importResource, request, _id)));
}
