import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { runScenario } from '#activities/scenario/runScenario';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import type { LookupTable, LookupTables } from '#engine/rules/lookup/lookupTable';
import { readRules } from '#engine/rules/read/readRules';
import { draftFiles, withRows } from '../draftFiles';
import { loadLookupTables, lookupHashes } from '../lookup/lookupTableStore';
import type { AsideInput } from './keepAside';

/** Where rules in force and definitions are from, and the lookup tables of the files. */
interface MixtureOf {
  db: Connection;
  org: ObjectId;
  definitions: RuleReferences;
  lookupTables: LookupTables;
}

/** Makes the check of rules that come partly from files and partly from those in force, with all of their tests. */
export function checkMixture({ db, org, definitions, lookupTables }: MixtureOf): AsideInput['check'] {
  return async (program, rules) => {
    const stored = await loadLookupTables(
      db,
      org,
      lookupHashes(rules).filter((hash) => !lookupTables.has(hash)),
    );
    const own = { ...program, lookupTables: namedTables(rules, new Map([...stored, ...lookupTables])) };
    const known = withRows({ ...definitions, programs: [own] }, rules);
    const { strays, errors } = await readRules(draftFiles(rules), known, runScenario);
    return [...strays, ...errors];
  };
}

function namedTables(rules: readonly RuleDefinition[], tables: LookupTables): Map<string, LookupTable> {
  const named = rules.flatMap(({ lookupTables: hashes = {} }) => Object.entries(hashes));
  return new Map(
    named.flatMap(([name, hash]): [string, LookupTable][] => {
      const table = tables.get(hash);
      return table ? [[name, table]] : [];
    }),
  );
}
