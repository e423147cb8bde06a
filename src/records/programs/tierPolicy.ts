import { type Static, Type } from '@sinclair/typebox';
import { periodUnits } from '#base/calendar/periods';
import { count, decimal, ext, findableName, list, objectId, oneOf, record } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import { durationShape, tierTermShape } from '#records/points/terms';

const levelShape = record({
  name: findableName(100, { description: 'Unique in the policy' }),
  number: count({ description: 'Unique in the policy; higher is better' }),
  threshold: decimal({ description: 'Value of the metric from which on it is reached; rises with number' }),
  lifetime: Type.Optional(
    record(
      {
        years: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 100, description: 'At it or higher without a break' }),
        ),
        metric: Type.Optional(findableName(150, { description: 'Metric whose lifetime sum gives it; needs atLeast' })),
        atLeast: Type.Optional(count({ minimum: 1, description: 'The lifetime sum from which on it is given' })),
      },
      { description: 'When a member has the level for good: after so many years, or from a lifetime sum on' },
    ),
  ),
});

export type TierLevel = Static<typeof levelShape>;

/** The sum that decides about levels: of a metric, in a period. */
export const tierBasisShape = record({
  metric: findableName(150, { description: 'Such as pointsEarned, spend, visits, or one of addMetric' }),
  period: oneOf(periodUnits),
});

/** Tier policies: a ladder of levels of a program. */
export const tierPolicyResource = defineResource({
  name: 'TierPolicy',
  path: 'tierpolicies',
  access: 'catalog',
  tag: 'Programs',
  isDefinition: true,
  fields: {
    name: findableName(100, { description: 'Unique in the program' }),
    program: objectId('Program'),
    levels: list(levelShape, 50, { default: [] }),
    basis: Type.Optional(tierBasisShape),
    downgrade: oneOf(['none', 'one', 'full'], { default: 'none' }),
    expiry: Type.Optional({ ...tierTermShape, description: 'How long a level lasts' }),
    grace: Type.Optional(durationShape),
    lateClaims: Type.Optional(
      oneOf(['ignored', 'counted'], {
        description:
          'Whether a late activity gives the level that the period of its date then reaches; default ignored',
      }),
    ),
    ext: ext(),
  },
  fixed: ['program'],
  indexes: [{ keys: { org: 1, program: 1, name: 1 }, unique: true }],
});

export type TierPolicy = DocOf<typeof tierPolicyResource>;
