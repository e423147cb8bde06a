import { Type } from '@sinclair/typebox';
import { record } from '#base/schema/atoms';
import { durationShape } from '#records/points/terms';
import { amount, computeAmount } from '../language/amount';
import { amountText } from '../words/amountText';
import { germanAmount } from '../words/german/germanAmount';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import { defineAction } from './action';

/** Adds an amount to a metric. An amount of 0 has no effect. */
export const addMetric = defineAction({
  type: 'addMetric',
  description:
    'Counts something for the member, to be read in the aggregates and by the fact aggregate; a negative amount subtracts',
  params: {
    metric: Type.String({ pattern: '^[A-Za-z][\\w.-]{0,99}$', description: 'Name of a metric that is not built in' }),
    value: amount,
    expires: Type.Optional(
      record(durationShape.properties, { description: 'When the lifetime sum ends, counted from the activity' }),
    ),
  },
  amounts: ['value'],
  names: ({ metric }) => [{ at: 'metric', kind: 'metric', name: metric }],
  inCancellation: true,
  onCancel: 'returned',
  words: {
    en: ({ metric, value }) => `add ${amountText(value)} to the metric ${valueText(metric)}`,
    de: ({ metric, value }) => `${germanAmount(value)} zur Kennzahl ${germanValue(metric)} zählen`,
  },
  effects({ type, metric, value: requested, expires }, { readFact }) {
    const value = computeAmount(requested, readFact);
    return value === 0 ? [] : [{ type, metric, value, ...(expires && { expires }) }];
  },
  apply: (target, change, rule) => target.addMetric(change, rule),
});
