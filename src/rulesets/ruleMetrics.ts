import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { Gauge } from 'prom-client';
import { collectionOf } from '../db/collections';
import { type Org, orgResource } from '../records/users/org';
import { folderOfFault } from '../rules/read/programFaults';
import { ruleLoadResource } from './files/ruleLoad';
import { programsWithoutRules } from './programsWithoutRules';

/** The databases whose orgs the gauges show. A process has one, a test may have several. */
const shown = new Set<Connection>();

type Labels = 'org' | 'program';

/** A value of a gauge. Other programs have none. */
interface Value {
  labels: Record<Labels, string>;
  value: number;
}

/** Both gauges read the database when they are scraped, so every process shows what any process has loaded. */
const faults: Gauge<Labels> = new Gauge({
  name: 'loyalty_ruleset_faults',
  help: 'Faults in the rule files of a program at the last load; the program keeps its rules',
  labelNames: ['org', 'program'],
  collect: () => fill(faults, faultsIn),
});

const withoutRules: Gauge<Labels> = new Gauge({
  name: 'loyalty_programs_without_rules',
  help: '1 for each program with rule files of which no rule is in force; its activities earn nothing',
  labelNames: ['org', 'program'],
  collect: () => fill(withoutRules, withoutRulesIn),
});

/** Shows the orgs of a database in the metrics of the process. @returns a function that ends this */
export function showRuleMetrics(db: Connection): () => void {
  shown.add(db);
  return () => {
    shown.delete(db);
  };
}

/** Without an answer of the database, the gauge keeps its values: the other metrics are needed most then. */
async function fill(gauge: Gauge<Labels>, valuesIn: (db: Connection) => Promise<Value[]>): Promise<void> {
  const read = await Promise.all([...shown].map(valuesIn)).catch(() => undefined);
  if (!read) return;
  gauge.reset();
  for (const { labels, value } of read.flat()) gauge.set(labels, value);
}

async function withoutRulesIn(db: Connection): Promise<Value[]> {
  const orgs = await readOrgs(db, { 'unpublishedFolders.0': { $exists: true } });
  const found = orgs.map(async (org) =>
    (await programsWithoutRules(db, org)).map((program) => ({ labels: { org: org.code, program }, value: 1 })),
  );
  return (await Promise.all(found)).flat();
}

async function faultsIn(db: Connection): Promise<Value[]> {
  const loads = await collectionOf(db, ruleLoadResource)
    .aggregate<{ _id: ObjectId; files: string[] }>([
      { $sort: { org: 1, loadedAt: -1 } },
      { $group: { _id: '$org', files: { $first: '$faults.file' } } },
      { $match: { 'files.0': { $exists: true } } },
    ])
    .toArray();
  const orgs = await readOrgs(db, { _id: { $in: loads.map(({ _id }) => _id) } });
  return orgs.flatMap(({ _id, code: org }) => {
    const files = loads.find((load) => load._id.equals(_id))?.files ?? [];
    // The paths of other orgs begin with `@<org>/`.
    const programs = files.map((file) => folderOfFault({ file: file.replace(/^@[^/]*\//, '') }));
    return [...new Set(programs)].map((program) => ({
      labels: { org, program },
      value: programs.filter((each) => each === program).length,
    }));
  });
}

function readOrgs(
  db: Connection,
  query: Record<string, unknown>,
): Promise<Pick<Org, '_id' | 'code' | 'unpublishedFolders'>[]> {
  return collectionOf(db, orgResource)
    .find(query, { projection: { code: 1, unpublishedFolders: 1 } })
    .toArray();
}
