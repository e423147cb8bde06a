import type { Limit } from '../oracle/limits';
import type { PursePolicy } from '../oracle/terms';

const value = { fact: 'activity', path: '$.value' };
const asks = (field: string, wanted: unknown) => ({
  fact: 'activity',
  path: `$.ext.${field}`,
  operator: 'equal',
  value: wanted,
});

function rule(key: string, type: string, conditions: object[], actions: object[], more: object = {}) {
  return { key, name: key, status: 'active', activityTypes: [type], conditions: { all: conditions }, actions, ...more };
}

/** Points of a purchase in each purse: so many halves of its value. */
export const halves = { Points: 2, Miles: 3, Stars: 1, Coins: 2 } as const;

/** The rules of every program. An activity says in `ext` what it is about. */
export function rulesOf(policies: readonly PursePolicy[], limits: Partial<Record<string, Limit>>): object[] {
  const all = policies.map(({ name }) => name as keyof typeof halves);
  return [
    ...all.map((purse) =>
      rule(
        `earn-${purse}`,
        'Accrual',
        [asks('purse', purse)],
        [{ type: 'addPoints', purse, points: { of: value, times: halves[purse] / 2, round: 'floor' } }],
        limits[purse] ? { limits: [limits[purse]] } : {},
      ),
    ),
    ...all.map((purse) =>
      rule(
        `redeem-${purse}`,
        'Redemption',
        [asks('purse', purse)],
        [{ type: 'redeemPoints', purse, points: { of: value } }],
      ),
    ),
    ...all
      .flatMap((purse) =>
        all.map((toPurse) =>
          rule(
            `move-${purse}-${toPurse}`,
            'Redemption',
            [asks('from', purse), asks('toPurse', toPurse)],
            [{ type: 'transferPoints', purse, toPurse, points: { of: value } }],
          ),
        ),
      )
      .filter(({ key }) => new Set(key.split('-')).size === 3),
    ...all.map((purse) =>
      rule(
        `send-${purse}`,
        'Redemption',
        [asks('send', purse)],
        [
          {
            type: 'transferPoints',
            purse,
            points: { of: value },
            toMember: { loyaltyID: { fact: 'activity', path: '$.ext.to' } },
          },
        ],
      ),
    ),
  ];
}
