import { ObjectId } from 'bson';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { readRules } from '#engine/rules/read/readRules';
import type { RuleFile } from '#engine/rules/source/ruleSource';
import { occasionTypes } from '#records/activities/occasion';

/** A program with two purses, and a second program. */
export const definitions: RuleReferences = {
  programs: [
    {
      _id: new ObjectId(),
      code: 'demo',
      timezone: 'UTC',
      purses: ['Points', 'Bonus Points', 'Lasting'],
      inactivityPurses: ['Lasting'],
      tiers: [
        {
          name: 'Status',
          levels: [
            { name: 'Basic', number: 1 },
            { name: 'Gold', number: 2 },
          ],
        },
      ],
      offers: ['SUMMER'],
      rewards: ['MUG'],
    },
    { _id: new ObjectId(), code: 'other', timezone: 'UTC', purses: ['Miles'], tiers: [], offers: [], rewards: [] },
  ],
  activityTypes: ['Accrual', 'Redemption', 'Cancellation', ...occasionTypes],
  segments: ['VIP', 'French'],
  querySegments: ['French'],
  metrics: ['onlineSpend'],
  namedLists: [{ id: '64b000000000000000000001', name: 'Big stores', model: 'Location' }],
};

/** A valid rule. */
export const base = {
  key: 'base',
  name: 'Base',
  activityTypes: ['Accrual'],
  conditions: { all: [] as unknown[] },
  actions: [{ type: 'addPoints', purse: 'Points', points: 1 }] as unknown[],
};

/** A file with one rule in a single line, so that the column alone says where a fault is. */
export const file = (rule: unknown, path = 'demo/a.json'): RuleFile => ({ path, text: JSON.stringify(rule) });

/** The faults of one rule as `text at the fault: message`. */
export async function faultsOf(rule: unknown, length = 12): Promise<string[]> {
  const one = file(rule);
  const { errors, warnings } = await readRules([one], definitions);
  expect(warnings).toEqual([]);
  for (const { line, file: path } of errors) expect([line, path]).toEqual([1, one.path]);
  return errors.map(({ column, message }) => `${one.text.slice(column - 1, column - 1 + length)}: ${message}`);
}
/** {@link base} with one condition. */
export const withCondition = (condition: unknown) => ({ ...base, conditions: { all: [condition] } });

/** A valid condition. */
export const value = { fact: 'activity', path: '$.value', operator: 'greaterThan', value: 0 };
