import type { Connection } from 'mongoose';
import type { Auditor } from '../audit/auditor';
import type { Clock } from '../common/clock';
import { isDuplicateKey, isTransient, withRetries } from '../db/transaction';
import type { LookupTables } from '../rules/lookup/lookupTable';
import type { RuleFault } from '../rules/source/ruleSource';
import { adoptScheduled } from './adoptScheduled';
import { contentHash } from './files/contentHash';
import { type FilesByProgram, filesByProgram } from './files/filesByProgram';
import type { ReadRules } from './files/readCache';
import { type FilesRead, readFiles } from './files/readFiles';
import { lastLoad, lastLoadAnywhere, type ReadFiles, recordLoad } from './files/recordLoad';
import type { RuleFolder } from './files/ruleFolders';
import type { LoadResult, RuleLoad } from './files/ruleLoad';
import { type GuardedRules, guardedRules } from './inForce';
import { loadRuleReferences } from './loadRuleReferences';
import { type Merged, mergePrograms } from './mergePrograms';
import { type NewRuleSet, publishRules } from './publishRules';

/** The folder to load from, and the database to publish to. */
export interface LoadSource extends RuleFolder {
  db: Connection;
  clock: Clock;
  author: Auditor;
  readRules: ReadRules;
  /** Load only the programs whose files changed since the last load from here, or had faults then. */
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
    isWorthRetrying: (error) => isTransient(error) || isDuplicateKey(error),
  });
}

async function attemptLoad(source: LoadSource): Promise<LoadResult> {
  const { db, author, folder, place, prefix } = source;
  await adoptScheduled(source, { org: author.org, now: source.clock.now() });
  // The guards are read before the files and definitions, so that the commit detects every later change of a guard.
  const [before, load] = await Promise.all([guardedRules(db, author.org), lastLoad(db, author.org, place)]);
  const inForce = before.set?.drafts ?? [];
  const definitions = await loadRuleReferences(db, author.org, inForce);
  const { programs } = definitions;
  const codes = programs.map(({ code }) => code);
  const disk = await readFiles(folder, codes);
  const named = (fault: RuleFault) => ({ ...fault, file: prefix + fault.file });
  const found = filesByProgram(disk);
  // A place that never loaded has no record of its own: after a rollback, that of another place counts.
  const known = load ?? (before.set?.held ? await lastLoadAnywhere(db, author.org) : undefined);
  const isTaken = takenBy(source, before, known, found);
  const read = await source.readRules(
    disk.files.filter(({ path }) => isTaken(path.split('/', 1)[0] ?? '')),
    definitions,
  );
  const merged = await mergePrograms({
    read: { ...read, strays: disk.strays },
    faults: disk.faults,
    programs,
    inForce,
    isTaken,
  });
  const { lookupTables } = read;
  const warnings = [...disk.strays, ...disk.warnings, ...read.warnings].map(named);
  const errors = merged.errors.map(named);
  return {
    ...(await publishOrRecord(source, { before, load, disk, found, merged, errors, lookupTables })),
    errors,
    warnings,
  };
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
  const held = new Set(set.held);
  return (code) => {
    if (!changedOnly && !held.has(code)) return true;
    const last = before.get(code);
    return last?.isRefused || last?.hash !== found.get(code);
  };
}

/** What one attempt has read and decided. */
interface Attempt {
  before: GuardedRules;
  load: RuleLoad | undefined;
  disk: FilesRead;
  found: FilesByProgram;
  merged: Merged;
  errors: RuleFault[];
  lookupTables: LookupTables;
}

async function publishOrRecord(
  source: LoadSource,
  { before, load, disk, found, merged, errors, lookupTables }: Attempt,
): Promise<Pick<LoadResult, 'kind' | 'version' | 'programs'>> {
  const version = before.set?.version;
  const isFaulty = errors.length > 0;
  const programs = isFaulty ? { programs: merged.outcomes } : {};
  const hasFiles = found.size > 0 || isFaulty;
  const seen = hasFiles || disk.strays.length > 0 ? seenBy({ found, merged, errors, disk }) : nothingSeen(load);
  const hash = merged.hasTaken && hasFiles ? contentHash(merged.drafts) : before.set?.hash;
  if (hash !== undefined && hash !== before.set?.hash) {
    const rollback = stillHeld(before.set, merged);
    const { drafts } = merged;
    const next = await publishRules(source, { before, load, seen, drafts, hash, lookupTables, rollback });
    return { kind: 'published', version: next, ...programs };
  }
  await recordLoad(source, { before, load, seen });
  if (isFaulty) return { kind: 'refused', version, ...programs };
  return { kind: hasFiles ? 'unchanged' : 'empty', version };
}

/** What stays of a rollback when the rules of some programs are published from their files. */
function stillHeld(set: GuardedRules['set'], { taken }: Merged): NonNullable<NewRuleSet['rollback']> {
  const { held: before = [], filesVersion } = set ?? {};
  const held = before.filter((code) => !taken.has(code));
  return held.length === 0 || filesVersion === undefined ? {} : { held, filesVersion };
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
