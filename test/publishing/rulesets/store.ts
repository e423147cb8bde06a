import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Connection } from 'mongoose';
import { type Logger, pino } from 'pino';
import { createOrg } from '#access/users/createOrg';
import { type Clock, systemClock } from '#base/common/clock';
import { connect } from '#base/db/connect';
import { prepareCollections } from '#base/db/prepareCollections';
import type { Author } from '#base/db/records';
import { createRuleSets, type RuleSets } from '#publishing/rulesets/ruleSets';
import type { Org } from '#records/users/org';
import { resources } from '#server/services/resources';
import { testStores } from '../../support/stores';

/** The database of a test file. Each test makes its own org in it. */
export interface OrgStore {
  db: Connection;
  addOrg(code?: string): Promise<TestOrg>;
  close(): Promise<void>;
}

/** An org with an empty rule folder. */
export interface TestOrg {
  mongodbUri: string;
  db: Connection;
  clock: Clock;
  org: Org;
  author: Author;
  rulesDir: string;
  /** Log messages of the org's processes, oldest first. */
  logged: string[];
  /** Makes the rule sets of another process, with its own connection and cache. */
  process(rulesDir?: string, clock?: Clock): Promise<RuleSets>;
  /** Makes rule sets with an empty cache, on the connection of the test file. */
  fresh(): RuleSets;
  /** Writes a file below the rule folder. A text is written unchanged, any other value as JSON. */
  write(file: string, content: unknown): Promise<void>;
}

type Closers = (() => Promise<void>)[];

export async function openStore(): Promise<OrgStore> {
  const stores = testStores();
  const db = await connect(stores.mongodbUri, { maxPoolSize: 10 });
  await prepareCollections(db, resources);
  const closers: Closers = [];
  return {
    db,
    addOrg: (code = `org-${randomBytes(4).toString('hex')}`) => addOrg(stores.mongodbUri, db, code, closers),
    async close() {
      for (const close of closers.reverse()) await close();
      await db.destroy();
      await stores.drop();
    },
  };
}

async function addOrg(uri: string, db: Connection, code: string, closers: Closers): Promise<TestOrg> {
  const clock = systemClock;
  const admin = { username: `admin@${code}`, password: 'correct horse battery' };
  const org = await createOrg(db, { code, admin }, clock.now());
  const rulesDir = await mkdtemp(path.join(tmpdir(), 'loyalty-rules-'));
  closers.push(() => rm(rulesDir, { recursive: true, force: true }));
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => logged.push(JSON.parse(line).msg) });
  return {
    mongodbUri: uri,
    db,
    clock,
    org,
    rulesDir,
    logged,
    author: { org: org._id, userId: org.systemUser },
    process: (dir = rulesDir, own = clock) =>
      openProcess(uri, { log, clock: own, rulesDir: dir, orgCode: code }, closers),
    fresh() {
      const ruleSets = createRuleSets({ db, log, clock, rulesDir, orgCode: code });
      closers.push(() => ruleSets.close());
      return ruleSets;
    },
    write: (file, content) => writeRules(path.join(rulesDir, file), content),
  };
}

interface ProcessOptions {
  log: Logger;
  clock: Clock;
  rulesDir: string;
  orgCode: string;
}

async function openProcess(uri: string, options: ProcessOptions, closers: Closers): Promise<RuleSets> {
  const db = await connect(uri, { maxPoolSize: 5 });
  const ruleSets = createRuleSets({ db, ...options });
  closers.push(async () => {
    await ruleSets.close();
    await db.destroy();
  });
  return ruleSets;
}

/** Writes a file and its folders. A text is written unchanged, any other value as JSON. */
export async function writeRules(file: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}

/** A rule that awards this number of points for every purchase. */
export function earn(key: string, points: number) {
  const actions = [{ type: 'addPoints', purse: 'Points', points }];
  return { key, name: `Earn by ${key}`, status: 'active', activityTypes: ['Accrual'], actions };
}
