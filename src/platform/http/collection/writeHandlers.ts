import type { TProperties } from '@sinclair/typebox';
import type { Doc } from '#base/schema/resource';
import { requestAuditor } from '#platform/audit/auditor';
import type { RecordWrites } from '#platform/recordWrites/recordWrites';
import { visible } from '#platform/recordWrites/storedRecord';
import type { WriteContext } from '#platform/recordWrites/writeContext';
import { keptAnswer } from '../keys/keptAnswer';
import type { Answer, Request } from '../route';
import { etagHeader, requireMatch, requireTag } from './etag';
import { readPathId } from './readPathId';

/** The handlers of the writes of a resource: each calls its use case and answers the record. */
export function writeHandlers<P extends TProperties, B>(writes: RecordWrites<P, B>) {
  return {
    create: (request: Request) => handleCreate(writes, request),
    update: (request: Request) => handleUpdate(writes, request),
    remove: (request: Request) => handleRemove(writes, request),
  };
}

async function handleCreate<P extends TProperties, B>(writes: RecordWrites<P, B>, request: Request): Promise<Answer> {
  const answered = async (doc: Doc<P>) => {
    const location = `/api/v1/${writes.resource.path}/${doc._id.toHexString()}`;
    return {
      status: 201,
      body: await shown(writes, request, doc),
      headers: { Location: location, ...etagHeader(doc) },
    };
  };
  const context = requestWriteContext(request);
  // The mount has parsed the body by the route's schema, whose type is `B`.
  return keptAnswer(request, answered, (inCommit) => writes.create(context, request.body as B, inCommit));
}

async function handleUpdate<P extends TProperties, B>(writes: RecordWrites<P, B>, request: Request): Promise<Answer> {
  const id = readPathId(request);
  requireTag(request);
  const expect = (previous: object) => requireMatch(previous, request);
  const doc = await writes.update(requestWriteContext(request), id, request.body, expect);
  return { status: 200, body: await shown(writes, request, doc), headers: { ...etagHeader(doc) } };
}

async function handleRemove<P extends TProperties, B>(writes: RecordWrites<P, B>, request: Request): Promise<Answer> {
  const id = readPathId(request);
  requireTag(request);
  await writes.remove(requestWriteContext(request), id, (previous) => requireMatch(previous, request));
  return { status: 204 };
}

async function shown<P extends TProperties, B>(
  { resource, rules: { present } }: RecordWrites<P, B>,
  request: Request,
  doc: Doc<P>,
): Promise<unknown> {
  const answer = visible(resource, doc);
  return present ? (await present([answer], request))[0] : answer;
}

/** Who writes records by a request, and when. */
function requestWriteContext(request: Request): WriteContext {
  const { services, principal, now, machineClock } = request;
  return { services, principal, auditor: requestAuditor(request), now, machineClock };
}
