import { message } from '#base/common/messages/message';
import { actionReads, conditionReads } from '../evaluate/ruleSet';
import type { RuleDefinition } from '../format/rule';
import type { ProgramReferences } from '../format/ruleReferences';
import type { NamedLookup } from '../format/tableFact';
import { readTableParams } from '../language/tableParams';
import type { LookupTable, LookupTables } from '../lookup/lookupTable';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { lookupEntries } from './lookupEntries';
import { readLookups } from './readLookups';
import type { TableContext } from './tables/expandTable';

/** The lookup tables that rules of a program may name. */
interface Lookups {
  /** Those without a fault, by name. */
  tables: ReadonlyMap<string, LookupTable>;
  named: readonly NamedLookup[];
  /** Warns of declared tables that none of the rules reads. */
  warnOfUnread(rules: readonly RuleDefinition[]): void;
  /** The tables that the rules read. */
  readBy(rules: readonly RuleDefinition[]): LookupTables;
}

/** Reads the lookup tables that files declare, beside those that the program already has. */
export async function collectLookups(
  written: readonly { source: RuleSource; at: JsonPath; value: unknown }[],
  context: Pick<TableContext, 'files' | 'capacity'>,
  program: ProgramReferences,
): Promise<Lookups> {
  const entries = lookupEntries(written);
  const tables = new Map([...(program.lookupTables ?? []), ...(await readLookups(entries, context))]);
  const faulty = entries.map(({ declared }) => declared.lookupTable).filter((name) => !tables.has(name));
  return {
    tables,
    named: [
      ...[...tables].map(([name, { contents }]) => ({ name, columns: contents })),
      ...faulty.map((name) => ({ name })),
    ],
    warnOfUnread(rules) {
      const read = new Set(rules.flatMap(({ lookupTables = {} }) => Object.keys(lookupTables)));
      for (const { source, at, declared } of entries) {
        if (read.has(declared.lookupTable)) continue;
        source.warning([...at, 'lookupTable'], message('ruleFiles.unusedLookup', { name: declared.lookupTable }));
      }
    },
    readBy(rules) {
      const byHash = new Map([...tables.values()].map((table) => [table.contents.hash, table]));
      const hashes = new Set(rules.flatMap(({ lookupTables = {} }) => Object.values(lookupTables)));
      return new Map([...byHash].filter(([hash]) => hashes.has(hash)));
    },
  };
}

/** A rule with the lookup tables that it reads. */
export function withLookups(rule: RuleDefinition, tables: ReadonlyMap<string, LookupTable>): RuleDefinition {
  if (tables.size === 0) return rule;
  const refs = [...conditionReads(rule.conditions), ...rule.actions.flatMap(actionReads)];
  const read = refs.flatMap(({ fact, params }) => (fact === 'table' ? (readTableParams(params) ?? []) : []));
  const hashes = read.map(({ name }) => [name, tables.get(name)?.contents.hash ?? ''] as const);
  return hashes.length === 0 ? rule : { ...rule, lookupTables: Object.fromEntries(hashes.sort()) };
}
