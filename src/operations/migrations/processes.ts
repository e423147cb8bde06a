import { randomUUID } from 'node:crypto';
import os from 'node:os';
import type { ObjectId } from 'bson';
import type { Collection, Connection } from 'mongoose';
import { dayMs } from '#base/common/durations';
import { runningVersion } from '#base/common/version';
import { isOver, literals } from '#base/db/leases/lease';
import { readLocal } from '#base/db/readLocal';
import { appliedMigrations } from './applied';

/**
 * How often a process says that it lives, after which silence it counts as ended, and after which it is forgotten, by
 * the database's clock.
 */
export const processLimits = { beatEveryMs: 5000, livesMs: 20_000, forgottenMs: dayMs } as const;

/** What a process does. */
export type ProcessRole = 'api' | 'worker' | 'all';

/** A process of the service that uses this database. */
export interface LivingProcess {
  host: string;
  pid: number;
  role: ProcessRole;
  version: string;
  build: string;
  /** The number of the last migration that it knows. */
  level: number;
  lastSeen: Date;
  /** The latest version of the rules that it used, of each org; absent before it has used any. */
  ruleVersions?: readonly RuleVersion[];
}

/** A version of the rules of an org. */
export interface RuleVersion {
  org: ObjectId;
  version: number;
}

interface ProcessRow extends LivingProcess {
  _id: string;
}

/** A process that says that it lives. */
export interface RegisteredProcess {
  /** From now on, it also says which versions of the rules it has used. */
  tellRuleVersions(used: () => readonly RuleVersion[]): void;
  /** Says that the process has ended. */
  close(): Promise<void>;
}

/**
 * Says in the database, repeatedly, that this process lives and which level it knows. A process that was suspended
 * while others moved to a level that it cannot use learns so at its next sign of life.
 * @param onOutdated called once then; the process must end
 */
export async function registerProcess(
  db: Connection,
  role: ProcessRole,
  level: number,
  onOutdated: (migration: string) => void,
): Promise<RegisteredProcess> {
  const id = randomUUID();
  const own = { host: os.hostname(), pid: process.pid, role, ...runningVersion(), level };
  let usedRules: () => readonly RuleVersion[] = () => [];
  const beat = () => {
    const state = literals({ ...own, ruleVersions: usedRules() });
    return processCollection(db).updateOne({ _id: id }, [{ $set: { ...state, lastSeen: '$$NOW' } }], once);
  };
  await beat();
  const old = isOver('lastSeen', processLimits.forgottenMs);
  await processCollection(db).deleteMany({ $expr: old });
  let isOutdated = false;
  const live = async () => {
    await beat();
    const newer = (await appliedMigrations(db)).find(({ _id, isExclusive }) => isExclusive && _id > level);
    if (!newer || isOutdated) return;
    isOutdated = true;
    onOutdated(newer.name);
  };
  // While the database is unavailable, the process cannot say anything, and nobody can migrate.
  const timer = setInterval(() => void live().catch(() => undefined), processLimits.beatEveryMs);
  timer.unref();
  return {
    tellRuleVersions(used) {
      usedRules = used;
    },
    async close() {
      clearInterval(timer);
      await processCollection(db)
        .deleteOne({ _id: id })
        .catch(() => undefined);
    },
  };
}

const once = { upsert: true } as const;

/** The processes that live, oldest level first. */
export async function livingProcesses(db: Connection): Promise<LivingProcess[]> {
  const living = { $expr: { $not: isOver('lastSeen', processLimits.livesMs) } };
  return processCollection(db)
    .find(living, { ...readLocal, projection: { _id: 0 } })
    .sort({ level: 1, host: 1, pid: 1 })
    .toArray();
}

function processCollection(db: Connection): Collection<ProcessRow> {
  return db.collection<ProcessRow>('processes');
}
