import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { type GaugeValue, type StoreGauges, storeGaugeLimits } from '#base/metrics/storeGauges';
import { folderOfFault } from '#engine/rules/read/programFaults';
import { type Org, orgResource } from '#records/users/org';
import { ruleLoadResource } from './files/ruleLoad';
import { programsWithoutRules } from './programsWithoutRules';

const faults = 'loyalty_ruleset_faults';
const withoutRules = 'loyalty_programs_without_rules';
const labelNames = ['org', 'program'];

/** Gauges of rule files, as any process has loaded them. Only programs with faults or without rules have a value. */
export const ruleGauges: StoreGauges = {
  gauges: {
    [faults]: {
      help: 'Faults in the rule files of a program at the last load; the program keeps its rules',
      labelNames,
    },
    [withoutRules]: {
      help: '1 for each program with rule files of which no rule is in force; its activities earn nothing',
      labelNames,
    },
  },
  async read({ db }) {
    const [faulty, without] = await Promise.all([faultsIn(db), withoutRulesIn(db)]);
    return { [faults]: faulty, [withoutRules]: without };
  },
};

async function withoutRulesIn(db: Connection): Promise<GaugeValue[]> {
  const orgs = await readOrgs(db, { 'unpublishedFolders.0': { $exists: true } });
  const found = orgs.map(async (org) =>
    (await programsWithoutRules(db, org)).map((program) => ({ labels: { org: org.code, program }, value: 1 })),
  );
  return (await Promise.all(found)).flat();
}

async function faultsIn(db: Connection): Promise<GaugeValue[]> {
  const loads = await collectionOf(db, ruleLoadResource)
    .aggregate<{ _id: ObjectId; files: string[] }>(
      [
        { $sort: { org: 1, loadedAt: -1 } },
        { $group: { _id: '$org', files: { $first: '$faults.file' } } },
        { $match: { 'files.0': { $exists: true } } },
      ],
      { maxTimeMS },
    )
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

const { queryMs: maxTimeMS } = storeGaugeLimits;

function readOrgs(
  db: Connection,
  query: Record<string, unknown>,
): Promise<Pick<Org, '_id' | 'code' | 'unpublishedFolders'>[]> {
  return collectionOf(db, orgResource)
    .find(query, { projection: { code: 1, unpublishedFolders: 1 }, maxTimeMS })
    .toArray();
}
