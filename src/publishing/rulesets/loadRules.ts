import type { Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { hasLostRace, withRetries } from '#base/db/transaction';
import type { LookupTables } from '#engine/rules/lookup/lookupTable';
import { ruleSetResource } from '#engine/rules/publishedRuleSet';
import type { SetAside } from '#engine/rules/setAsideShape';
import type { RuleFault, RuleFile } from '#engine/rules/source/ruleSource';
import type { Auditor } from '#platform/audit/auditor';
import { adoptScheduled } from './adoptScheduled';
import { checkMixture } from './aside/checkMixture';
import { keepAside } from './aside/keepAside';
import { readSetAside } from './aside/setAside';
import { contentHash } from './files/contentHash';
import { type FilesByProgram, filesByProgram } from './files/filesByProgram';
import type { ReadRules } from './files/readCache';
import { type FilesRead, readFiles } from './files/readFiles';
import { lastLoad, lastLoadAnywhere, type ReadFiles, recordLoad } from './files/recordLoad';
import type { RuleFolder } from './files/ruleFolders';
import type { LoadResult, RuleLoad } from './files/ruleLoad';
import { loadRuleReferences } from './loadRuleReferences';
import { type Merged, mergePrograms } from './mergePrograms';
import { type NewRuleSet, publishRules } from './publishRules';
import { type GuardedRules, guardedRules } from './ruleSetInForce';

/** The folder to load from, and the database to publish to. */
export interface LoadSource extends RuleFolder {
  db: Connection;
  clock: Clock;
  author: Auditor;
  readRules: ReadRules;
  /** Load only the programs with files that changed since the last load from here, or had faults then. */
  changedOnly: boolean;
}

/**
 * Loads the rule files of an org, program by program. Programs without a fault come into force together, as one new
 * version. A program with a fault keeps its rules. When loads of one or several processes overlap, the later starts
 * again.
 * @throws ServiceError 1310 when other loads always win
 */
export function loadRules(source: LoadSource): Promise<LoadResult> {
  return withRetries(() => attemptLoad(source), {
    // No clock is given, so retries have no time limit: reading thousands of rules takes longer than a transaction may.
    isWorthRetrying: hasLostRace,
  });
}

async function attemptLoad(source: LoadSource): Promise<LoadResult> {
  const { prefix } = source;
  await adoptScheduled(source, { org: source.author.org, now: source.clock.now() });
  const attempt = await planLoad(source);
  const named = (fault: RuleFault) => ({ ...fault, file: prefix + fault.file });
  const errors = attempt.merged.errors.map(named);
  const warnings = attempt.warnings.map(named);
  return { ...(await publishOrRecord(source, { ...attempt, errors })), errors, warnings };
}

/**
 * Reads the rule files of an org and decides what a load would put into force, without doing it.
 * @param edited files that replace those with the same path
 */
export async function planLoad(source: LoadSource, edited: readonly RuleFile[] = []): Promise<Planned> {
  const { db, author, folder, place } = source;
  // The guards are read before the files and definitions, so that the commit detects every later change of a guard.
  const [before, load] = await Promise.all([guardedRules(db, author.org), lastLoad(db, author.org, place)]);
  const inForce = before.set?.drafts ?? [];
  const [definitions, setAside] = await Promise.all([
    loadRuleReferences(db, author.org, inForce),
    readSetAside(db, before.set),
  ]);
  const { programs } = definitions;
  const codes = programs.map(({ code }) => code);
  const disk = withEdited(await readFiles(folder, codes), edited);
  const found = filesByProgram(disk);
  // A place that never loaded has no record of its own: after a rollback, the record of another place counts.
  const known = load ?? (before.set?.held ? await lastLoadAnywhere(db, author.org) : undefined);
  const isTaken = takenBy(source, before, known, found);
  const ofFiles = await source.readRules(
    disk.files.filter(({ path }) => isTaken(path.split('/', 1)[0] ?? '')),
    definitions,
  );
  const { lookupTables } = ofFiles;
  const check = checkMixture({ db, org: author.org, definitions, lookupTables });
  const { read, stays } = await keepAside(ofFiles, { setAside, inForce, programs, check });
  const merged = await mergePrograms({
    read: { ...read, strays: disk.strays },
    faults: disk.faults,
    programs,
    inForce,
    isTaken,
  });
  const remains = setAside.filter((entry) => !merged.taken.has(entry.program) || stays.includes(entry));
  const warnings = [...disk.strays, ...disk.warnings, ...read.warnings];
  return { before, load, disk, found, merged, lookupTables, setAside: { before: setAside, after: remains }, warnings };
}

function withEdited(disk: FilesRead, edited: readonly RuleFile[]): FilesRead {
  if (edited.length === 0) return disk;
  const isEdited = new Set(edited.map(({ path }) => path));
  const files = [...disk.files.filter(({ path }) => !isEdited.has(path)), ...edited];
  return { ...disk, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

/** Which programs a load judges: all, or with `changedOnly` those that changed since `load` or were refused then. */
function takenBy(
  { changedOnly }: LoadSource,
  { set }: GuardedRules,
  load: RuleLoad | undefined,
  found: FilesByProgram,
): (code: string) => boolean {
  const known = load?.programs;
  if (!set || !known) return () => true;
  const before = new Map(known.map((program) => [program.code, program]));
  // After a rollback, also a full load keeps the rules of a program until its files change.
  const keptPrograms = new Set(set.held);
  return (code) => {
    if (!changedOnly && !keptPrograms.has(code)) return true;
    const last = before.get(code);
    return last?.isRefused || last?.hash !== found.get(code);
  };
}

/** What a load has read and would do. */
export interface Planned {
  before: GuardedRules;
  load: RuleLoad | undefined;
  disk: FilesRead;
  found: FilesByProgram;
  merged: Merged;
  lookupTables: LookupTables;
  /** What is set aside before and after. */
  setAside: { before: readonly SetAside[]; after: readonly SetAside[] };
  warnings: RuleFault[];
}

/** What one attempt has read and decided; its faults name their files from RULES_DIR. */
type Attempt = Planned & { errors: RuleFault[] };

async function publishOrRecord(
  source: LoadSource,
  { before, load, disk, found, merged, errors, lookupTables, setAside }: Attempt,
): Promise<Pick<LoadResult, 'kind' | 'version' | 'programs'>> {
  const version = before.set?.version;
  const isFaulty = errors.length > 0;
  const programs = isFaulty ? { programs: merged.outcomes } : {};
  const hasFiles = found.size > 0 || isFaulty;
  const seen = hasFiles || disk.strays.length > 0 ? seenBy({ found, merged, errors, disk }) : nothingSeen(load);
  const hash = merged.hasTaken && hasFiles ? contentHash(merged.drafts) : before.set?.hash;
  if (hash !== undefined && hash !== before.set?.hash) {
    const rollback = remainingRollback(before.set, merged, setAside.after);
    const { drafts } = merged;
    const next = await publishRules(source, { before, load, seen, drafts, hash, lookupTables, rollback });
    return { kind: 'published', version: next, ...programs };
  }
  await noteSetAside(source, before, setAside);
  await recordLoad(source, { before, load, seen });
  if (isFaulty) return { kind: 'refused', version, ...programs };
  return { kind: hasFiles ? 'unchanged' : 'empty', version };
}

/** What stays of a rollback when the rules of some programs are published from their files. */
function remainingRollback(
  set: GuardedRules['set'],
  { taken }: Merged,
  setAside: readonly SetAside[],
): NonNullable<NewRuleSet['rollback']> {
  const keptPrograms = (set?.held ?? []).filter((code) => !taken.has(code));
  return {
    ...(keptPrograms.length > 0 ? { held: keptPrograms } : {}),
    ...(setAside.length > 0 ? { setAside: [...setAside] } : {}),
  };
}

/**
 * Notes that files have some rules as they are in force by now, or otherwise than when they were set aside, although no
 * rule in force changed. It comes before the record of the load: should the process end between them, the next load sees it again.
 */
async function noteSetAside(
  { db, author: { org } }: LoadSource,
  { set }: GuardedRules,
  { before, after }: Planned['setAside'],
): Promise<void> {
  if (!set || before.length === after.length) return;
  const change = { $set: { setAside: [...after] } };
  await collectionOf(db, ruleSetResource).updateOne({ org, version: set.version }, change);
}

/** Maximum length of the code of a program. A folder with a longer name never becomes a program's. */
const codeMax = 64;

function seenBy({ found, merged, errors, disk }: Pick<Attempt, 'found' | 'merged' | 'errors' | 'disk'>): ReadFiles {
  const { kept, withoutRules } = merged.outcomes;
  const refused = new Set([...kept, ...withoutRules]);
  const codes = [...new Set([...found.keys(), ...refused])].sort();
  const strays = disk.strays.map(({ file }) => file).filter((name) => name.length <= codeMax);
  return {
    programs: codes.map((code) => ({ code, hash: found.get(code) ?? noFiles, isRefused: refused.has(code) })),
    errors,
    unpublished: [...withoutRules, ...strays],
  };
}

/** The `hash` of a program without files. */
const noFiles = 'none';

/** Without any files, it stays known which files were last read. They may come back as they were. */
function nothingSeen(load: RuleLoad | undefined): ReadFiles {
  return { programs: load?.programs ?? [], errors: [], unpublished: [] };
}
