import { type FieldError, malformed, ServiceError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { depthMax, isTooDeep } from '#base/schema/freeObject';
import { joinPath } from '#base/schema/joinPath';
import { BodyScan } from '#platform/http/body/bodyScan';
import type { Request } from '#platform/http/route';
import { enumResource } from '#records/catalog/enumValue';
import type { AutoIncrement, BodyLocation, Lookup } from './bodyDirective';
import { findDirectives } from './findDirectives';
import { lookUp } from './lookUp';
import { nextInSequence, sequenceValue } from './sequence';

/** The type of the Enums that name sequences. */
const sequenceEnum = 'SequenceName';

/**
 * Replaces the directives `lookup` and `autoIncrement` of a body by their values, in place (SPEC "Pre-processing of
 * request bodies"). All lookups come before any sequence, so that a failed lookup uses no number. A request that stores
 * nothing (`persist=false`) uses no number either.
 * @param foundMaxBytes the most bytes that lookups may add, as JSON; body and lookups together stay within the body
 *   limit
 * @returns the body, or its value when the whole body is a directive
 * @throws ServiceError 1200 naming every directive that is malformed or finds nothing; 1130 for a model that the client
 *   may not read; 1240 when lookups add too much
 */
export async function evaluateBody(body: unknown, request: Request, foundMaxBytes: number): Promise<unknown> {
  const root = { body };
  const definitions = await findDirectives(root);
  const increments = definitions.filter((each) => 'autoIncrement' in each);
  await requireSequences(increments, request);
  await replaceLookups(
    definitions.filter((each) => 'lookup' in each),
    request,
    foundMaxBytes,
  );
  const take = request.query.persist === 'false' ? nextTried(request) : (name: string) => nextInSequence(name, request);
  for (const { autoIncrement, ...place } of increments) {
    const next = await take(autoIncrement.seqName);
    replace(place, autoIncrement.type === 'string' ? String(next) : next);
  }
  if (isTooDeep(root.body))
    throw malformed(message('http.body', { fault: message('http.tooDeep', { max: depthMax }) }));
  return root.body;
}

/** Returns the next values of sequences without storing them, for a request that stores nothing (`persist=false`). */
function nextTried(request: Request): (name: string) => Promise<number> {
  const last = new Map<string, number>();
  return async (name) => {
    const next = (last.get(name) ?? (await sequenceValue(name, request))) + 1;
    last.set(name, next);
    return next;
  };
}

/**
 * Runs the lookups one after the other. In parallel they could exceed the number of heavy reads that a user may run.
 */
async function replaceLookups(
  definitions: readonly (BodyLocation & { lookup: Lookup })[],
  request: Request,
  foundMaxBytes: number,
): Promise<void> {
  const faults: FieldError[] = [];
  let bytesLeft = foundMaxBytes;
  const scan = new BodyScan();
  for (const { lookup, ...place } of definitions) {
    try {
      const found = await lookUp(lookup, place.path, request);
      const bytes = Buffer.from(JSON.stringify(found));
      bytesLeft -= bytes.length;
      if (bytesLeft < 0) throw new ServiceError('tooLarge', message('preprocess.bodyTooLarge'));
      scan.push(bytes);
      if (scan.fault) throw scan.fault;
      replace(place, found);
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.details.errors) throw error;
      faults.push(...error.details.errors);
    }
  }
  if (faults.length > 0) throw validationError(faults);
}

async function requireSequences(
  increments: readonly (BodyLocation & { autoIncrement: AutoIncrement })[],
  { services, principal }: Request,
): Promise<void> {
  if (increments.length === 0) return;
  const names = increments.map(({ autoIncrement }) => autoIncrement.seqName);
  const known = await collectionOf(services.db, enumResource)
    .find({ org: principal.org, type: sequenceEnum, value: { $in: names } })
    .toArray();
  const unknown = increments.filter(({ autoIncrement }) => !known.some(({ value }) => value === autoIncrement.seqName));
  if (unknown.length === 0) return;
  const fault = message('preprocess.noSequence', { type: sequenceEnum });
  throw validationError(
    unknown.map(({ path }) => ({ ...fault, kind: 'enum', path: joinPath(path, 'autoIncrement.seqName') })),
  );
}

function replace({ holder, key }: BodyLocation, value: unknown): void {
  Reflect.set(holder, key, value);
}
