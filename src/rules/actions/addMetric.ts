import { type Static, Type } from '@sinclair/typebox';
import { termUnits } from '../../calendar/localCalendar';
import { oneOf, record } from '../../schema/atoms';
import { amount, amountOf } from '../language/amount';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'addMetric',
  {
    metric: Type.String({ pattern: '^[A-Za-z][\\w.-]{0,99}$', description: 'Name of a metric that is not built in' }),
    value: amount,
    expires: Type.Optional(
      record(
        {
          value: Type.Integer({ minimum: 1, maximum: 10_000 }),
          unit: oneOf(termUnits),
        },
        { description: 'When the lifetime sum ends, counted from the activity' },
      ),
    ),
  },
  'Counts something for the member, to be read in the aggregates and by the fact aggregate; a negative amount subtracts',
);

/** Adds to a metric; an amount of 0 adds nothing. */
export const addMetric: ActionDefinition<Static<typeof params>> = {
  type: 'addMetric',
  params,
  effects({ type, metric, value: asked, expires }, { readFact }) {
    const value = amountOf(asked, readFact);
    return value === 0 ? [] : [{ type, metric, value, ...(expires && { expires }) }];
  },
};

export type AddMetric = Static<typeof params>;
