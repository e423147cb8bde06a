import { FactFrame } from '#engine/rules/evaluate/factFrame';
import { priorityLevel } from '#engine/rules/evaluate/ruleSet';
import { tableReader } from '#engine/rules/evaluate/tableReader';
import type { Rule } from '#engine/rules/format/rule';
import type { ReadFact } from '#engine/rules/language/factRef';
import { LookupTable } from '#engine/rules/lookup/lookupTable';
import { loyaltyRules } from './loyaltyRules';

const rows = 100_000;
/** Short rounds, since other work on the machine interrupts long ones. */
const rounds = 50;
const citiesOfFrom = 1000;

/** Measures a lookup by two keys of the activity: the reading of the keys, the row, and the value of one column. */
export async function measureLookups(forMs: number): Promise<string> {
  const startedAt = performance.now();
  const table = await LookupTable.of(contents, () => Promise.resolve());
  const indexedMs = performance.now() - startedAt;
  const rule = ruleWithTable();
  const read = rule && tableReader([rule], new Map([[contents.hash, table]]));
  if (!rule || !read) throw new Error('the rule has a table');
  const { facts } = priorityLevel(1, [rule]);
  const slot = facts.slotOf(miles);
  const trips = Array.from({ length: 4096 }, (_unused, n) => tripOf((n * 7919) % rows));
  const look = (n: number) => new FactFrame(facts, read(trips[n % trips.length] ?? nothing)).readAnew(slot);
  const rates = Array.from({ length: rounds }, () => perSecond(forMs / rounds, look));
  const median = rates.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  return `a lookup by two keys in ${rows} rows takes ${(1e6 / median).toFixed(2)} µs; they are indexed in ${indexedMs.toFixed(0)} ms`;
}

const from = (row: number) => `F${row % citiesOfFrom}`;
const to = (row: number) => `T${Math.floor(row / citiesOfFrom)}`;
const all = Array.from({ length: rows }, (_unused, row) => row);
const contents = {
  hash: 'bench',
  rows,
  keys: [text('from'), text('to')],
  values: [{ name: 'miles', kind: 'number' as const }, text('zone')],
  cells: [all.map(from), all.map(to), all, all.map((row) => `Zone ${row % 9}`)],
};

function text(name: string) {
  return { name, kind: 'text' as const };
}

const keys = ['$.ext.from', '$.ext.to'].map((path) => ({ fact: 'activity', path }));
const miles = { fact: 'table', path: '$.miles', params: { name: 'distances', keys } };

function ruleWithTable(): Rule | undefined {
  const [rule] = loyaltyRules(1);
  const conditions = { all: [{ ...miles, operator: 'greaterThan', value: 0 }] };
  return rule && { ...rule, conditions, lookupTables: { distances: contents.hash } };
}

const nothing: ReadFact = () => undefined;

function tripOf(row: number): ReadFact {
  const activity = { ext: { from: from(row), to: to(row) } };
  return () => activity;
}

function perSecond(forMs: number, look: (n: number) => unknown): number {
  const startedAt = performance.now();
  for (let done = 1; ; done += 1) {
    if (typeof look(done) !== 'number') throw new Error('every trip is in the table');
    if (done % 1024 !== 0) continue;
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs >= forMs) return (done * 1000) / elapsedMs;
  }
}
