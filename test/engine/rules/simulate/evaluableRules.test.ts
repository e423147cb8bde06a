import { indexRules } from '#engine/rules/evaluate/ruleSet';
import type { Rule } from '#engine/rules/format/rule';
import { evaluableRules, type IncompleteRule } from '#engine/rules/simulate/evaluableRules';
import type { SnapshotFacts } from '#engine/rules/simulate/snapshotFacts';
import { programId, rule } from '../builders';

/** The rule as a simulation finds it for an activity of which nothing is known of the member. */
function incomplete(changes: Partial<Rule>): IncompleteRule | undefined {
  const facts = { knows: ({ fact }: { fact: string }) => fact !== 'member' } as SnapshotFacts;
  const conditions = { all: [{ fact: 'member', path: '$.locale', operator: 'equal', value: 'de' }] };
  const set = indexRules([rule({ key: 'asks', conditions, ...changes })]);
  return evaluableRules(set)(programId, 'Accrual', facts).incomplete.get('asks');
}

test('a rule that reads an unknown value is reported with this value', () => {
  expect(incomplete({})).toMatchObject({ missing: ['member $.locale'], isDecisive: false });
  expect(incomplete({ conditions: { all: [] } })).toBeUndefined();
  expect(incomplete({ conditions: { all: [] }, segments: ['VIP'] })).toMatchObject({ missing: ['member $.segments'] });
});

const limit = { what: 'points', per: 'member', period: 'day', max: 1 } as const;

test.each<[string, Partial<Rule>, boolean]>([
  ['other rules depend on a rule that ends the evaluation', { stop: true }, true],
  ['other rules depend on a rule that may win its group', { group: 'one', pick: 'highest' }, true],
  ['other rules depend on a rule that refuses the activity', { actions: [{ type: 'reject', message: 'No' }] }, true],
  [
    'other rules depend on a rule that refuses the activity above a limit',
    { limits: [{ ...limit, onExceed: 'reject' }] },
    true,
  ],
  [
    'no other rule depends on a rule that awards less above a limit',
    { limits: [{ ...limit, onExceed: 'reduce' }] },
    false,
  ],
  ['no other rule depends on a rule that does not end the evaluation', { stop: false }, false],
])('%s', (_what, changes, isDecisive) => {
  expect(incomplete(changes)).toMatchObject({ isDecisive });
});
