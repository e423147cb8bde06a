import { type Static, Type } from '@sinclair/typebox';
import { calculateObjectSize, ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { dayMs } from '#base/common/durations';
import { invalidField, ServiceError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { type InCommit, withRetries } from '#base/db/transaction';
import { byName, freeObject, list, record, text, withValues } from '#base/schema/atoms';
import type { ReadResult } from '#engine/rules/read/readRules';
import { lookupCsvLimits } from '#engine/rules/read/tables/csvSource';
import type { RuleFault, RuleFile } from '#engine/rules/source/ruleSource';
import { keptAnswer } from '#platform/http/keys/keptAnswer';
import type { Answer, Request } from '#platform/http/route';
import { writeRecord } from '#platform/orgs/writeRecord';
import { visible } from '#platform/recordWrites/storedRecord';
import { storeLookupTables } from '#publishing/rulesets/lookup/lookupTableStore';
import { type Program, programResource } from '#records/programs/program';
import { readChangedRules } from './changedRules';
import { retentionDays, type StoredSimulation, scopeFields, simulationResource } from './simulation';

/** Maximum number of simulations of an org that wait or run. */
const openMax = 10;

/** Maximum size of the rules. MongoDB allows 16 MB for the whole document, with the result. */
const draftsMaxBytes = 12 * 1_048_576;

/** The body of `POST /rules/simulate`. */
export const simulateBody = record(
  {
    rules: Type.Optional(
      list(freeObject(), 5000, {
        minItems: 1,
        description: 'Changed and added rules of one program, by key; all other rules in force stay',
      }),
    ),
    files: Type.Optional(
      byName(Type.String({ maxLength: lookupCsvLimits.bytes }), 500, {
        minProperties: 1,
        maxProperties: 1000,
        description: 'All rule files by path, <program code>/<name>.json, in place of those in force',
      }),
    ),
    program: Type.Optional(text(64, { description: 'Code or _id; only activities of this program are evaluated' })),
    ...scopeFields,
  },
  {
    'x-document': { oneOf: [withValues(['rules']), withValues(['files'])] },
    examples: [
      {
        rules: [{ key: 'tea', name: 'Tea', activityTypes: ['Accrual'], actions: [{ type: 'log', message: 'Tea' }] }],
        from: '2026-01-01T00:00:00.000Z',
      },
    ],
  },
);

type Body = Static<typeof simulateBody>;

/**
 * `POST /rules/simulate`: checks the rules and queues the simulation. A worker runs it.
 * @throws ServiceError 1200 with every fault of the rules; 1260 when too many simulations wait or run
 */
export async function startSimulation(request: Request): Promise<Answer> {
  const { services, principal, body, now } = request;
  const { rules, files, program, from, to, sample, limit } = body as Body;
  const { db } = services;
  if ((rules === undefined) === (files === undefined)) {
    throw invalidField(rules ? 'files' : 'rules', 'required', message('simulations.rulesOrFiles'));
  }
  if (from && to && from >= to) throw invalidField('to', 'date', message('simulations.toBeforeFrom'));
  const chosen = await chosenProgram(db, principal.org, program);
  const only = chosen ?? (rules ? await onlyProgram(db, principal.org) : undefined);
  const changed = rules && only ? { rules, program: only } : { files: toRuleFiles(files ?? {}) };
  const read = await readChangedRules(db, principal.org, changed);
  if (read.errors.length > 0) throw validationError(read.errors.map(sentFieldError));
  if (calculateObjectSize({ drafts: read.rules }) > draftsMaxBytes) {
    throw invalidField(rules ? 'rules' : 'files', 'maxLength', message('simulations.rulesTooLarge'));
  }
  const programs = rules && only ? [only] : simulatedPrograms(read, chosen);
  await requireFewOpen(db, principal.org);
  const keptUntil = new Date(now.getTime() + retentionDays * dayMs);
  await storeLookupTables({ db, author: principal, now, keptUntil }, read.lookupTables);
  const simulation: StoredSimulation = {
    ...newStamps(principal, now),
    status: 'Queued',
    progress: { read: 0, evaluated: 0, total: 0 },
    drafts: read.rules,
    attempts: 0,
    requestId: request.requestId,
    ...(only ? { program: only._id } : {}),
    programs: programs.map(({ _id }) => _id),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(sample === undefined ? {} : { sample }),
    ...(limit === undefined ? {} : { limit }),
    keptUntil,
  };
  const headers = { Location: `/api/v1/simulations/${simulation._id}` };
  const answer = { status: 202, body: visible(simulationResource, simulation), headers };
  return keptAnswer(
    request,
    () => answer,
    (inCommit) => storeSimulation(db, simulation, inCommit),
  );
}

async function storeSimulation(
  db: Connection,
  simulation: StoredSimulation,
  inCommit?: InCommit<StoredSimulation>,
): Promise<StoredSimulation> {
  const insert = (session?: ClientSession) =>
    collectionOf(db, simulationResource).insertOne(simulation, session && { session });
  const companion = inCommit && ((session: ClientSession) => inCommit(simulation, session));
  await withRetries(() => writeRecord(db, simulationResource, simulation.org, insert, { companion }), {});
  return simulation;
}

/** The programs to simulate: those with files, or the chosen one of them. */
function simulatedPrograms({ programs }: ReadResult, chosen: Program | undefined): Pick<Program, '_id'>[] {
  const found = programs.map(({ program }) => program).filter(({ _id }) => !chosen || _id.equals(chosen._id));
  if (found.length === 0) throw invalidField('program', 'reference', message('simulations.noFileOfProgram'));
  return found;
}

function toRuleFiles(files: Readonly<Record<string, string>>): RuleFile[] {
  return Object.entries(files).map(([path, content]) => ({ path, text: content }));
}

async function chosenProgram(db: Connection, org: ObjectId, idText: string | undefined): Promise<Program | undefined> {
  if (idText === undefined) return undefined;
  const byId = /^[0-9a-f]{24}$/i.test(idText) ? [{ _id: new ObjectId(idText) }] : [];
  const found = await collectionOf(db, programResource).findOne({ org, $or: [{ code: idText }, ...byId] });
  if (!found) throw invalidField('program', 'reference', message('simulations.programCodeOrId'));
  return found;
}

async function onlyProgram(db: Connection, org: ObjectId): Promise<Program> {
  const [first, second] = await collectionOf(db, programResource).find({ org }).limit(2).toArray();
  if (first && !second) return first;
  throw invalidField('program', 'required', message('simulations.programNeeded'));
}

async function requireFewOpen(db: Connection, org: ObjectId): Promise<void> {
  const open = await collectionOf(db, simulationResource).countDocuments({
    org,
    status: { $in: ['Queued', 'Running'] },
  });
  if (open < openMax) return;
  throw new ServiceError('rateLimited', message('simulations.tooMany', { max: openMax }), {
    headers: { 'Retry-After': '60' },
  });
}

function sentFieldError({ file, line, column, ...fault }: RuleFault) {
  return { ...message('simulations.inRulesSent', { fault }), kind: 'rule', path: `${file}:${line}:${column}` };
}
