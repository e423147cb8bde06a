/** Makes the rules of a usual program. One fires for every purchase; the conditions of the others fail. */
export function benchRules(count: number, budget?: { points: number }): Record<string, unknown>[] {
  const base = {
    key: 'base-earn',
    name: 'A point per unit',
    status: 'active',
    activityTypes: ['Accrual'],
    priority: 10,
    conditions: { all: [{ fact: 'activity', path: '$.value', operator: 'greaterThan', value: 0 }] },
    actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times: 1 } }],
    ...(budget && { budget }),
  };
  return [base, ...Array.from({ length: count - 1 }, (_unused, n) => otherRule(n))];
}

function otherRule(n: number): Record<string, unknown> {
  return {
    key: `bonus-${n}`,
    name: `Bonus ${n}`,
    status: 'active',
    activityTypes: ['Accrual'],
    priority: 10,
    conditions: {
      all: [
        { fact: 'activity', path: '$.srcChannelType', operator: 'in', value: ['Web', 'Mobile'] },
        { fact: 'activity', path: '$.value', operator: 'greaterThanInclusive', value: 1000 + n },
        { fact: 'activity', path: '$.currencyCode', operator: 'equal', value: `C${n}` },
        {
          any: [
            { fact: 'dayOfWeek', operator: 'equal', value: n % 7 },
            { fact: 'hour', operator: 'lessThan', value: n % 24 },
          ],
        },
      ],
    },
    actions: [{ type: 'addPoints', purse: 'Points', points: 10 }],
  };
}
