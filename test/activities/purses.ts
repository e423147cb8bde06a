import type { PursePolicy } from '#records/programs/pursePolicy';
import { earnRule, redeemRule } from '../support/world';

/** Purse policies that a cancel treats differently; activities choose theirs by `ext.purse`. */
export const pursePolicies: Partial<PursePolicy>[] = [
  { name: 'Points' },
  { name: 'Zero', clawback: 'toZero' },
  { name: 'Pending', clawback: 'pendingOnly', escrow: { type: 'duration', value: 10, unit: 'day' } },
  { name: 'Held', escrow: { type: 'duration', value: 10, unit: 'day' } },
  { name: 'Credit', overdraftLimit: 100 },
  { name: 'Short', expiry: { type: 'rolling', value: 10, unit: 'day' } },
];

/** Rules that award or burn the value of an activity in the purse that it names; `ext.bonus` adds a lot of 7. */
export const purseRules: Record<string, unknown>[] = [
  ...pursePolicies.flatMap(({ name }) => [rule(earnRule, name), rule(redeemRule, name)]),
  {
    ...rule(earnRule, 'Points'),
    key: 'bonus',
    priority: 5,
    conditions: { all: [{ fact: 'activity', path: '$.ext.bonus', operator: 'equal', value: true }] },
    actions: [{ type: 'addPoints', purse: 'Points', points: 7 }],
  },
];

function rule(base: typeof earnRule | typeof redeemRule, purse = '') {
  return {
    ...base,
    key: `${base.key}-${purse}`,
    conditions: { all: [{ fact: 'activity', path: '$.ext.purse', operator: 'equal', value: purse }] },
    actions: base.actions.map((action) => ({ ...action, purse })),
  };
}
