import { Type } from '@sinclair/typebox';
import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { stringStream } from '#base/common/stringStream';
import { parseQuery } from '#base/query/parseQuery';
import { readFault } from '#base/query/read/readFault';
import { oneOf } from '#base/schema/atoms';
import type { Resource } from '#base/schema/resource';
import { bomArgument, bomFault } from '#exchange/imports/bomArgument';
import { fileFormats } from '#exchange/imports/import';
import { mediaTypes } from '#exchange/imports/startImport';
import { type MembersRequest, presentMembers } from '#members/members/presentMembers';
import { requirePermission } from '#platform/auth/authenticate';
import { filterArgument } from '#platform/http/collection/filterArgument';
import { followMerges } from '#platform/http/collection/followMerges';
import { readFields } from '#platform/http/collection/readFields';
import { requestReader } from '#platform/http/collection/readHandlers';
import { type Answer, defineRoute, type Route } from '#platform/http/route';
import { memberResource } from '#records/members/member';
import { exportedResources } from './exportKinds';
import { exportTexts } from './exportTexts';
import { limitExports } from './limitExports';

async function readExport(request: MembersRequest): Promise<Answer> {
  const { services, principal, query } = request;
  const resource = exportedResources.find(({ path }) => path === query.kind);
  if (!resource)
    throw malformed(message('exchange.kindValues', { kinds: exportedResources.map(({ path }) => path).join(', ') }));
  const format = fileFormats.find((each) => each === (query.format ?? 'csv'));
  if (!format) throw malformed(message('exchange.formatValues', { formats: fileFormats.join(', ') }));
  const bom = query.bom === 'true';
  if (bom && format !== 'csv') throw malformed(bomFault);
  requirePermission(principal, resource.permissions.read);
  const own = query.query === undefined ? {} : { query: query.query };
  const fields = await readFields(resource, { ...request, query: own });
  const filter = await followMerges(requestReader(request), resource, fields, parseQuery(own, fields).filter);
  const { db } = services;
  const { org } = principal;
  const source = await services.prepareRead(db, resource, { org, filter, now: request.now });
  const texts = exportTexts({
    db,
    org,
    resource: source,
    filter,
    format,
    bom,
    ...memberPresenter(resource, { ...request, query: {} }),
  });
  const body = await stringStream(limitExports(principal.userId.toHexString(), texts)).catch((error: unknown) => {
    throw readFault(error);
  });
  body.once('error', (error: Error) => {
    services.log.warn({ err: error, kind: resource.path, requestId: request.requestId }, 'an export broke off');
  });
  const name = `${resource.path}-${request.now.toISOString().slice(0, 10)}.${format}`;
  return {
    status: 200,
    body,
    headers: {
      'Content-Type': `${mediaTypes[format]}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  };
}

function memberPresenter(resource: Resource, request: MembersRequest) {
  if (resource.path !== memberResource.path) return {};
  return { present: (records: Record<string, unknown>[]) => presentMembers(records, request) };
}

/** Routes of exports. */
export const exportRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/exports',
    tag: 'Imports and exports',
    permission: 'any',
    summary: 'Export records as a file',
    description:
      'Needs the permission to read the records. The file is a stream: it has every record, or the connection is cut ' +
      'before its end.',
    query: {
      kind: {
        description: 'The path of the collection',
        schema: oneOf(exportedResources.map(({ path }) => path)),
        required: true,
      },
      format: { description: 'CSV for spreadsheets, or a JSON object on each line', schema: oneOf(fileFormats) },
      query: filterArgument('Filter'),
      bom: bomArgument,
    },
    produces: Object.values(mediaTypes).join(', '),
    responses: { 200: Type.String() },
    answerHeaders: { 200: ['Content-Disposition'] },
    errors: [403],
    handle: readExport,
  }),
];
