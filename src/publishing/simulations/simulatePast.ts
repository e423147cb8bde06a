import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { restorePastActivity } from '#activities/past/restorePastActivity';
import type { Clock } from '#base/common/clock';
import { dayMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import type { Rule, RuleDefinition } from '#engine/rules/format/rule';
import type { LookupTables } from '#engine/rules/lookup/lookupTable';
import type { ProcessedActivity } from '#engine/rules/simulate/processedActivity';
import { Simulation } from '#engine/rules/simulate/simulation';
import type { SimulationInput } from '#engine/rules/simulate/simulationInput';
import type { SimulationResult } from '#engine/rules/simulate/simulationResult';
import { loadLookupTables, lookupHashes } from '#publishing/rulesets/lookup/lookupTableStore';
import { deriveRuleId } from '#publishing/rulesets/publishRules';
import { ruleSetInForce } from '#publishing/rulesets/ruleSetInForce';
import { type CompiledSets, compiledSets } from '#publishing/rulesets/ruleSets';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import { programResource } from '#records/programs/program';
import { pursePolicyResource } from '#records/programs/pursePolicy';

/** Selects the past activities to evaluate. */
export interface SimulationScope {
  /** Earliest date of an activity. */
  from?: Date | undefined;
  /** Activities must be dated before this instant. */
  to?: Date | undefined;
  /** Only activities and rules of these programs; undefined: of all. */
  programs?: readonly ObjectId[] | undefined;
  /** Share of the members: above 0, at most 1. */
  sample?: number | undefined;
  /** Maximum number of activities to evaluate, in the order of processing. */
  limit?: number | undefined;
}

/** The progress of a simulation, in activities. */
export interface SimulationProgress {
  read: number;
  evaluated: number;
  total: number;
}

/** The input of a simulation run. */
export interface SimulationRun {
  clock: Clock;
  org: ObjectId;
  changed: readonly RuleDefinition[];
  /** The lookup tables that the changed rules read. Absent: they are stored, and are read. */
  lookupTables?: LookupTables;
  scope: SimulationScope;
  /** Activities processed later are ignored. */
  until: Date;
  /** Called at intervals. An error that it throws ends the simulation. */
  onProgress(progress: SimulationProgress): Promise<void> | void;
}

/** Number of histories in one read of the cursor. Decoding them takes a few milliseconds. */
const batchSize = 100;

/** Time in ms between two pauses for other work of the process. */
const sliceMs = 4;

/** How far in the future the date of an activity may be when it is processed, in ms. */
const aheadMaxMs = dayMs;

/**
 * Simulates changed rules over the activities of an org, in the order in which they were processed. Writes nothing.
 * @throws SimulationTooLarge, and any error of `onProgress`
 */
export async function simulatePast(db: Connection, run: SimulationRun): Promise<SimulationResult> {
  const { org, changed, scope, clock } = run;
  const [sources, current] = await Promise.all([readSources(db, org), ruleSetInForce(db, org)]);
  const rules = {
    inForce: draftRules(org, current?.drafts ?? [], scope),
    changed: draftRules(org, changed, scope),
  };
  const lookupTables = await loadTables(db, run, rules);
  const simulation = new Simulation({ ...rules, purses: sources.purses, lookupTables });
  const histories = collectionOf(db, activityHistoryResource);
  const filter = historyFilter(run);
  const progress = { read: 0, evaluated: 0, total: await histories.countDocuments(filter) };
  const cursor = histories.find(filter, { projection, batchSize }).sort({ oplogTS: 1, _id: 1 });
  let sliceFrom = clock.now().getTime();
  try {
    for await (const history of cursor) {
      progress.read += 1;
      if (isTaken(history, scope)) progress.evaluated += await take(simulation, history, sources);
      if (progress.evaluated >= (scope.limit ?? Number.POSITIVE_INFINITY)) break;
      if (clock.now().getTime() - sliceFrom < sliceMs) continue;
      await run.onProgress({ ...progress });
      await new Promise(setImmediate);
      sliceFrom = clock.now().getTime();
    }
  } finally {
    await cursor.close();
  }
  await run.onProgress({ ...progress });
  return simulation.result();
}

/** Adds an activity or a cancellation to a simulation. Returns the number of evaluated activities. */
async function take(
  simulation: Simulation,
  history: ActivityHistory,
  sources: Awaited<ReturnType<typeof readSources>>,
): Promise<number> {
  if (history.type === 'Cancellation') {
    const { originalTxnId, value, usesGivenBack } = history;
    if (originalTxnId) simulation.cancel({ original: originalTxnId.toHexString(), value, usesGivenBack });
    return 0;
  }
  const past = await sources.read(history);
  if (!past) return 0;
  await simulation.add(past);
  return past.returned?.isWhole ? 0 : 1;
}

function draftRules(org: ObjectId, drafts: readonly RuleDefinition[], { programs }: SimulationScope): Rule[] {
  return drafts
    .filter(({ programId }) => programs?.some((each) => each.equals(programId)) ?? true)
    .map((draft) => ({ ...draft, _id: deriveRuleId(org, draft), version: 0 }));
}

/** The lookup tables of both rule sets: given ones of the run, and stored ones. */
async function loadTables(
  db: Connection,
  { org, lookupTables: tables }: SimulationRun,
  { inForce: before, changed }: Pick<SimulationInput, 'inForce' | 'changed'>,
): Promise<LookupTables> {
  const stored = await loadLookupTables(db, org, lookupHashes(tables ? before : [...before, ...changed]));
  return new Map([...stored, ...(tables ?? [])]);
}

const projection = { 'result.log': 0, 'result.data': 0 } as const;

/** Selects the activities, and the cancellations, which give back what they used of limits. */
function historyFilter({ org, scope: { from, to, programs }, until }: SimulationRun) {
  const earliest = from ? { $gte: from.getTime() - aheadMaxMs } : {};
  return {
    org,
    oplogTS: { ...earliest, $lte: until.getTime() },
    ...(from || to ? { date: { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) } } : {}),
    ...(programs ? { program: { $in: [...programs] } } : {}),
  };
}

/** Errors of rules, which a simulation can repeat: a limit that rejects, a reject, a failed rule. */
const errorsOfRules: ReadonlySet<number> = new Set([2110, 2400, 2900]);

function isTaken({ memberID, result }: ActivityHistory, { sample = 1 }: SimulationScope): boolean {
  return isSampled(memberID, sample) && result.errors.every(({ code }) => errorsOfRules.has(code));
}

async function readSources(db: Connection, org: ObjectId) {
  const [programs, policies] = await Promise.all([
    collectionOf(db, programResource).find({ org }).toArray(),
    collectionOf(db, pursePolicyResource).find({ org }).toArray(),
  ]);
  const byId = new Map(programs.map((program) => [program._id.toHexString(), program]));
  const purseNames = new Map(policies.map(({ _id, name }) => [_id.toHexString(), name]));
  const sets: CompiledSets = compiledSets(db);
  return {
    purses: policies.map(({ program, name, costPerPoint }) => ({ program, name, costPerPoint })),
    async read(history: ActivityHistory): Promise<ProcessedActivity | undefined> {
      const program = byId.get(history.program.toHexString());
      if (!program) return undefined;
      const ruleSet = history.ruleSet === undefined ? undefined : await sets(org, history.ruleSet);
      return restorePastActivity(history, { program, ruleSet, purseNames });
    },
  };
}

/** Whether a member is in a sample of this share, 0 to 1. The same members every time, with all their activities. */
function isSampled(member: ObjectId, share: number): boolean {
  return share >= 1 || fnv1a(member.toHexString()) / 2 ** 32 < share;
}

/** FNV-1a with a final mix, since ids of the same time differ only in their last digits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
