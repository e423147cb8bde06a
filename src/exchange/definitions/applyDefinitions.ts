import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { type FieldError, ServiceError, validationError } from '#base/common/errors';
import { message, pickMessage } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { boundTo } from '#base/db/boundConnection';
import { inTransaction, isTransient, withRetries } from '#base/db/transaction';
import type { Resource } from '#base/schema/resource';
import { requirePermission } from '#platform/auth/authenticate';
import type { Principal } from '#platform/auth/principal';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { toMachineClock } from '#platform/orgs/orgClock';
import type { RecordWrites } from '#platform/recordWrites/recordWrites';
import type { WriteContext } from '#platform/recordWrites/writeContext';
import { loadExtDefinitions } from '#programs/extensions/loadExtDefinitions';
import { readFileKey } from './definitionKeys';
import type { DefinitionNames } from './definitionNames';
import { definitionResources } from './definitionResources';
import { definitionWrites } from './definitionWrites';
import { bodyWithIds, type DefinitionPlan, type PlannedChange, pathBelow, planDefinitions } from './planDefinitions';
import { type PlanReport, planReport } from './planReport';
import type { DefinitionFile, FileDefinition } from './readDefinitionFile';
import { readStoredDefinitions } from './storedDefinitions';

/** What {@link applyDefinitions} needs. */
export interface ApplyInput {
  services: Infrastructure;
  /** In whose name. */
  principal: Principal;
  file: DefinitionFile;
  prune: boolean;
  /** What was shown and agreed to. */
  agreed: PlanReport;
  /** Called after each written definition. */
  onWritten?(count: number): void;
}

/** The most definitions that one apply writes: it must end before MongoDB aborts a long transaction. */
export const changesMax = 1000;

/**
 * Applies a definition file to the org of the principal, in one transaction: all of it or nothing.
 * @throws ServiceError 1200 naming every fault of the file, or the fault of the definition that was refused; 1280 when
 *   definitions changed since the plan was shown; 1310 when others keep changing definitions at the same time
 */
export async function applyDefinitions(input: ApplyInput): Promise<void> {
  const { services, principal } = input;
  const attempt = () =>
    inTransaction(services.db, async (session) => {
      const db = boundTo(services.db, session);
      const stored = await readStoredDefinitions(db, principal.org, input.file.sections);
      const { plan, faults } = planDefinitions(input.file, stored, input.prune);
      if (faults.length > 0) throw validationError(faults);
      if (!isDeepStrictEqual(asJson(planReport(plan)), asJson(input.agreed))) throw changedMeanwhile();
      await writePlan({ ...input, services: boundServices(services, db), names: stored.names }, plan);
    });
  await withRetries(attempt, { isWorthRetrying });
}

/** A conflict inside the transaction reaches this as a refusal of the write that met it. */
function isWorthRetrying(error: unknown): boolean {
  return isTransient(error) || (error instanceof ServiceError && isTransient(error.cause));
}

function changedMeanwhile(): ServiceError {
  return new ServiceError('versionDiffers', message('definitions.changedSince'));
}

/** Services that read what the transaction wrote. */
function boundServices(services: Infrastructure, db: Infrastructure['db']): Infrastructure {
  return { ...services, db, extDefinitions: { current: (org) => loadExtDefinitions(db, org) } };
}

type WriteInput = ApplyInput & { names: DefinitionNames };

async function writePlan(input: WriteInput, { created, changed, deleted }: DefinitionPlan): Promise<void> {
  let count = 0;
  const written = () => input.onWritten?.(++count);
  for (const resource of definitionResources) {
    for (const change of changed.filter(({ definition }) => definition.resource === resource).sort(releasingFirst)) {
      await update(input, change);
      written();
    }
    for (const { definition } of created.filter((each) => each.definition.resource === resource)) {
      await create(input, definition);
      written();
    }
  }
  for (const { resource, id, key } of deleted) {
    await permitted(input, { resource, place: key, verb: 'delete' }, (writes, context) => writes.remove(context, id));
    written();
  }
}

async function create(input: WriteInput, { resource, place, body }: FileDefinition): Promise<void> {
  const parsed = resource.parseCreate(bodyWithIds(resource, body, input.names, []));
  const made = await permitted(input, { resource, place, verb: 'create' }, (writes, context) =>
    writes.create(context, parsed),
  );
  const key = readFileKey(resource, body);
  assert(key !== undefined, 'a planned definition has a key');
  input.names.add(resource, made._id, key);
}

/** Writes the fields that change; null clears one. */
async function update(input: WriteInput, { definition, body, changes, stored }: PlannedChange): Promise<void> {
  const { resource, place } = definition;
  const next = bodyWithIds(resource, body, input.names, []);
  assert(isPlainObject(next), 'a definition is an object');
  const fields = [...new Set(changes.map(({ path }) => path.split('.')[0] ?? path))];
  const sent = Object.fromEntries(fields.map((name) => [name, next[name] ?? null]));
  await permitted(input, { resource, place, verb: 'update' }, (writes, context) =>
    writes.update(context, stored.id, sent),
  );
}

/** What gives up a value that only one record may have comes first, such as the place of the primary purse. */
function releasingFirst(a: PlannedChange, b: PlannedChange): number {
  return Number(isReleasing(b)) - Number(isReleasing(a));
}

function isReleasing({ definition: { resource }, stored, body }: PlannedChange): boolean {
  const has = (fields: Record<string, unknown>, where: Record<string, unknown>) =>
    Object.entries(where).every(([name, value]) => fields[name] === value);
  return resource.indexes.some(({ unique, where }) => unique && where && has(stored.body, where) && !has(body, where));
}

interface Permitted {
  resource: Resource;
  /** Where it is in the file, for faults. */
  place: string;
  verb: 'create' | 'update' | 'delete';
}

/**
 * Makes a write of a definition as a request would, with its permission.
 * @throws ServiceError with the place of the definition in the paths of its faults
 */
async function permitted<T>(
  { services, principal }: WriteInput,
  { resource, place, verb }: Permitted,
  write: (writes: RecordWrites, context: WriteContext) => Promise<T>,
): Promise<T> {
  const writes = definitionWrites.find((each) => each.resource === resource);
  assert(writes, `${resource.path} are definitions`);
  requirePermission(principal, resource.permissions[verb]);
  const { clock } = services;
  const { org, userId, username } = principal;
  const auditor = { org, userId, username, via: 'host' as const, requestId: 'definitions' };
  const context = { services, principal, auditor, now: clock.now(), machineClock: toMachineClock(clock) };
  try {
    return await write(writes, context);
  } catch (error) {
    throw placed(error, place);
  }
}

function placed(error: unknown, place: string): unknown {
  if (!(error instanceof ServiceError) || error.reason === 'unavailable') return error;
  const { errors = [{ path: '', kind: String(error.code), ...pickMessage(error) }] } = error.details;
  return validationError(errors.map((fault: FieldError) => ({ ...fault, path: pathBelow(place, fault.path) })));
}

function asJson(report: PlanReport): unknown {
  return JSON.parse(JSON.stringify(report));
}
