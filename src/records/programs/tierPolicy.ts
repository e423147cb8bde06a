import { type Static, Type } from '@sinclair/typebox';
import { periodUnits } from '../../calendar/periods';
import { count, decimal, ext, list, objectId, oneOf, record, text } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';
import { durationShape } from '../points/terms';

const levelShape = record({
  name: text(100, { description: 'Unique in the policy' }),
  number: count({ description: 'Unique in the policy; higher is better' }),
  threshold: decimal({ description: 'Value of the metric from which on it is reached; rises with number' }),
});

export type TierLevel = Static<typeof levelShape>;

/** Tier policies: a ladder of levels of a program. */
export const tierPolicyResource = defineResource({
  name: 'TierPolicy',
  path: 'tierpolicies',
  access: 'catalog',
  tag: 'Programs',
  isDefinition: true,
  fields: {
    name: text(100, { description: 'Unique in the program' }),
    program: objectId('Program'),
    levels: list(levelShape, 50, { default: [] }),
    basis: Type.Optional(
      record({
        metric: text(150, { description: 'Such as pointsEarned, spend, visits, or one of addMetric' }),
        period: oneOf(periodUnits),
      }),
    ),
    downgrade: oneOf(['none', 'one', 'full'], { default: 'none' }),
    expiry: Type.Optional(durationShape),
    grace: Type.Optional(durationShape),
    ext: ext(),
  },
  fixed: ['program'],
  indexes: [{ keys: { org: 1, program: 1, name: 1 }, unique: true }],
});

export type TierPolicy = DocOf<typeof tierPolicyResource>;
