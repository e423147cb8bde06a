import type { ReadResult } from '#engine/rules/read/readRules';
import { readRules } from '#engine/rules/read/readRules';
import { tableDefinitions } from '../tables/tableDefinitions';

/** The declaration of flight distances by city pair. */
export const distances = { lookupTable: 'distances', csv: 'distances.csv', keys: ['from', 'to'] };
export const distancesCsv = 'from,to,miles,factor,zone\nZRH,JFK,3924,1.5,Atlantic\nZRH,GVA,143,,Home\n';

/** The keys that name the two cities of an activity. */
export const cities = [
  { fact: 'activity', path: '$.ext.from' },
  { fact: 'activity', path: '$.ext.to' },
];

/** A reference to a column of the row for the activity's cities. */
export function distance(column: string, keys: readonly unknown[] = cities) {
  return { fact: 'table', path: `$.${column}`, params: { name: 'distances', keys } };
}

/** A rule that awards the miles of flights to some zone. */
export const flight = {
  key: 'flight',
  name: 'Flight',
  activityTypes: ['Accrual'],
  conditions: { all: [{ ...distance('zone'), operator: 'in', value: ['Atlantic', 'Home'] }] },
  actions: [{ type: 'addPoints', purse: 'Points', points: { of: distance('miles'), times: 2 } }],
};

/** Reads a rule file with these entries, and CSV files beside it. */
export function readEntries(entries: readonly unknown[], csv: Readonly<Record<string, string>>): Promise<ReadResult> {
  const files = Object.entries(csv).map(([name, text]) => ({ path: `demo/${name}`, text }));
  return readRules([{ path: 'demo/a.json', text: JSON.stringify(entries, null, 1) }, ...files], tableDefinitions);
}

/** Faults or warnings as `file:line:column message`. */
export function placed(faults: ReadResult['errors']): string[] {
  return faults.map(({ file, line, column, message }) => `${file.slice(5)}:${line}:${column} ${message}`);
}
