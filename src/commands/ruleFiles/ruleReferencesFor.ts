import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { connect } from '#base/db/connect';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { demoRuleReferences } from '#operations/demo/demoRuleReferences';
import { findRunning } from '#operations/embedded/findRunning';
import type { Config } from '#platform/infrastructure/config';
import { loadRuleReferences } from '#publishing/rulesets/loadRuleReferences';
import { ruleSetInForce } from '#publishing/rulesets/ruleSetInForce';
import { orgResource } from '#records/users/org';

/** Where a command reads the programs and purses that rule files name. */
export interface ReferenceSource {
  /** Tells the user of the command, in one line, where the definitions come from. */
  description: string;
  /** Returns the definitions of an org; undefined when there is no such org. */
  of(orgCode: string): Promise<RuleReferences | undefined>;
  /** The database that holds the definitions; absent when they are those of the demo. */
  db?: Connection;
  close(): Promise<void>;
}

type SourceConfig = Pick<Config, 'MONGODB_URI' | 'dataDir' | 'ORG'>;

/**
 * Opens the source of definitions: the service's database when MONGODB_URI is set or the service runs here, else the
 * demo program.
 */
export async function ruleReferencesFor(config: SourceConfig): Promise<ReferenceSource> {
  const uri = config.MONGODB_URI ?? findRunning(config.dataDir)?.mongodbUri;
  if (uri === undefined) return demoSource(config);
  const db = await connect(uri, { maxPoolSize: 2 });
  return {
    description: 'Programs and purses are those of the database.',
    of: (code) => storedDefinitions(db, code),
    db,
    close: () => db.close(),
  };
}

function demoSource({ dataDir, ORG }: SourceConfig): ReferenceSource {
  return {
    description: `No service runs in ${dataDir} and MONGODB_URI is not set: programs and purses are those of the demo.`,
    of: async (code) => (code === ORG ? demoRuleReferences() : undefined),
    close: async () => {},
  };
}

async function storedDefinitions(db: Connection, code: string): Promise<RuleReferences | undefined> {
  const org = await collectionOf(db, orgResource).findOne({ code });
  if (!org) return undefined;
  const current = await ruleSetInForce(db, org._id);
  return loadRuleReferences(db, org._id, current?.drafts);
}
