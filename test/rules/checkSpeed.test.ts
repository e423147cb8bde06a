import { readPlacedRules } from '../../src/rules/readRules';
import { tableDefinitions } from './tables/tableDefinitions';

/** A rule as people write them: six comparisons, an amount, a limit. */
function ruleOf(n: number) {
  return {
    key: `r${n}`,
    name: `Rule ${n}`,
    activityTypes: ['Accrual'],
    priority: 1 + (n % 7),
    effective: { from: '2026-01-01T00:00:00Z' },
    segments: ['VIP'],
    conditions: {
      all: [
        { fact: 'activity', path: '$.value', operator: 'greaterThan', value: n },
        { fact: 'activity', path: '$.srcChannelType', operator: 'in', value: ['Web', 'POS'] },
        { fact: 'activity', path: '$.lineItems[*].itemSKU', operator: 'someFact:startsWith', value: `S${n}` },
        { fact: 'member', path: '$.purse.Points.balance', operator: 'lessThan', value: 100_000 },
        {
          any: [
            { fact: 'dayOfWeek', operator: 'equal', value: n % 7 },
            { fact: 'hour', operator: 'between', value: [8, 18] },
          ],
        },
      ],
    },
    actions: [
      { type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times: 1.5 } },
      { type: 'setData', values: { shown: n } },
    ],
    limits: [{ what: 'points', per: 'member', period: 'day', max: 500, onExceed: 'reduce' }],
  };
}

/** Files of so many rules each. */
function filesOf(rulesEach: number) {
  return Array.from({ length: 2000 / rulesEach }, (_, file) => ({
    path: `demo/f${file}.json`,
    text: JSON.stringify(
      Array.from({ length: rulesEach }, (__, n) => ruleOf(file * rulesEach + n)),
      null,
      2,
    ),
  }));
}

const columns = {
  channel: { fact: 'activity', path: '$.srcChannelType', operator: 'equal' },
  from: { fact: 'activity', path: '$.value', operator: 'greaterThanInclusive' },
  points: { set: '$.actions[0].points' },
};
const table = [
  { path: 'demo/t.json', text: JSON.stringify({ ...ruleOf(0), table: { columns, csv: 't.csv' } }) },
  {
    path: 'demo/t.csv',
    text: `channel,from,points\n${Array.from({ length: 2000 }, (_, n) => `C${n},${n},${n + 1}`).join('\n')}\n`,
  },
];

// Well below a second on an idle machine; of a busy one only what this process did counts.
test.each([
  ['a file each', filesOf(1)],
  ['200 a file', filesOf(200)],
  ['rows of a table', table],
])('2,000 rules are checked in a second or so: %s', async (_, files) => {
  const before = process.cpuUsage();
  const { rules, errors } = await readPlacedRules(files, tableDefinitions);
  const { user, system } = process.cpuUsage(before);
  expect([rules.length, errors]).toEqual([2000, []]);
  expect((user + system) / 1000).toBeLessThan(3000);
});
