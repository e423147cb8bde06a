import type { Unit } from '../oracle/calendar';
import type { Limit } from '../oracle/limits';
import type { Referring } from '../oracle/process';
import type { PursePolicy } from '../oracle/terms';
import type { TierPolicy } from '../oracle/tiers';

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

/** How long a level for a time lasts, by its name in a rule. */
export const times = {
  weeks: { value: 6, unit: 'week' },
  months: { value: 5, unit: 'month' },
} as const satisfies Record<string, { value: number; unit: Unit }>;

/** A value for some of the purses. */
export type PerPurse<T> = Partial<Record<string, T>>;

/** The purse whose purchases are shared with the head of the family, and the share. */
export interface Share {
  purse: string;
  percent: number;
}

/** What the rules of a program are made of, beside its purses. */
interface RuleTerms {
  tiers: readonly TierPolicy[];
  limits: PerPurse<Limit>;
  budgets: PerPurse<number>;
  share: Share;
  referring: Referring;
}

/** The rules of every program. An activity says in `ext` what it is about. */
export function rulesOf(
  policies: readonly PursePolicy[],
  { tiers, limits, budgets, share, referring }: RuleTerms,
): object[] {
  const all = policies.map(({ name }) => name as keyof typeof halves);
  return [
    ...all.map((purse) =>
      rule(
        `earn-${purse}`,
        'Accrual',
        [asks('purse', purse)],
        [
          {
            type: 'addPoints',
            purse,
            points: { of: value, times: halves[purse] / 2, round: 'floor' },
            ...(share.purse === purse && { pool: { share: share.percent / 100 } }),
          },
        ],
        {
          ...(limits[purse] && { limits: [limits[purse]] }),
          ...(budgets[purse] && { budget: { points: budgets[purse] } }),
        },
      ),
    ),
    rule('refer', 'Referral', [], [{ type: 'completeReferral', ...referring }]),
    ...tiers.flatMap(({ name: policy, levels }) =>
      levels.flatMap(({ name: level }) =>
        Object.entries({ always: undefined, ...times }).map(([time, term]) =>
          rule(
            `set-${policy}-${level}-${time}`,
            'Adjustment',
            [asks('level', `${policy} ${level}`), asks('time', time)],
            [{ type: 'setTier', policy, level, ...(term && { for: term }) }],
          ),
        ),
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
