import { readSourcedRules } from '#engine/rules/read/readRules';
import { tableDefinitions } from './tables/tableDefinitions';

/** A typical rule: six comparisons, an amount, a limit. */
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

type Files = (rules: number) => { path: string; text: string }[];

/** Makes files with a given number of rules each. */
const filesOf =
  (rulesEach: number): Files =>
  (rules) =>
    Array.from({ length: rules / rulesEach }, (_, file) => ({
      path: `demo/f${file}.json`,
      text: JSON.stringify(
        Array.from({ length: rulesEach }, (__, n) => ruleOf(file * rulesEach + n)),
        null,
        2,
      ),
    }));

const columns = {
  channel: { fact: 'activity', path: '$.srcChannelType', operator: 'equal' },
  from: { fact: 'activity', path: '$.value', operator: 'greaterThanInclusive' },
  points: { set: '$.actions[0].points' },
};
const rowsOfTable: Files = (rules) => [
  { path: 'demo/t.json', text: JSON.stringify({ ...ruleOf(0), table: { columns, csv: 't.csv' } }) },
  {
    path: 'demo/t.csv',
    text: `channel,from,points\n${Array.from({ length: rules }, (_, n) => `C${n},${n},${n + 1}`).join('\n')}\n`,
  },
];

/** CPU time of this process to check the rules, in ms. The fastest of several runs, since other load only adds time. */
async function costOf(rules: number, files: Files, times: number): Promise<number> {
  const placed = files(rules);
  let quickest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < times; n += 1) {
    const before = process.cpuUsage();
    const read = await readSourcedRules(placed, tableDefinitions);
    const { user, system } = process.cpuUsage(before);
    expect([read.rules.length, read.errors]).toEqual([rules, []]);
    quickest = Math.min(quickest, (user + system) / 1000);
  }
  return quickest;
}

// A bound in seconds would depend on the machine. Decision 15 has measured times.
test.each([
  ['a file each', filesOf(1)],
  ['200 a file', filesOf(200)],
  ['rows of a table', rowsOfTable],
])('ten times as many rules are checked in about ten times the time: %s', async (_, files) => {
  const few = await costOf(200, files, 3);
  // If every rule were compared with every other rule, the cost would be about a hundred times as high.
  expect(await costOf(2000, files, 1)).toBeLessThan(40 * few);
});
