import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import type { LookupTable } from '#engine/rules/lookup/lookupTable';
import { loadLookupTables, lookupHashes } from './lookupTableStore';

/**
 * The definitions with the lookup tables that published rules read: rules that are read without their files come without
 * the declarations of these tables.
 */
export async function withLookupTables(
  db: Connection,
  org: ObjectId,
  definitions: RuleReferences,
  drafts: readonly RuleDefinition[],
): Promise<RuleReferences> {
  const tables = await loadLookupTables(db, org, lookupHashes(drafts));
  const programs = definitions.programs.map((program) => {
    const own = drafts.filter(({ programId }) => programId.equals(program._id));
    const hashes = own.flatMap(({ lookupTables = {} }) => Object.entries(lookupTables));
    const named = hashes.flatMap(([name, hash]): [string, LookupTable][] => {
      const table = tables.get(hash);
      return table ? [[name, table]] : [];
    });
    return { ...program, lookupTables: new Map(named) };
  });
  return { ...definitions, programs };
}
