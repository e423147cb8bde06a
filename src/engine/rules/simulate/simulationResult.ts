import { type Static, Type } from '@sinclair/typebox';
import { anyValue, count, decimal, list, oneOf, record, signed } from '#base/schema/atoms';

/** Maximum number of rows of each list of a result, except the lists of members. */
export const rowsMax = 1000;

/** Maximum number of winners in a result, and of losers. */
export const namedMembersMax = 20;

const side = record({
  fired: count({ description: 'Activities for which it fired' }),
  points: signed({ description: 'Points added, less points taken; without what was returned since' }),
});

const missing = record({
  fact: Type.String({ description: 'The missing fact, such as member $.birthDate' }),
  activities: count(),
});

const ruleRow = record({
  program: Type.String({ description: 'Code' }),
  key: Type.String(),
  name: Type.String(),
  change: oneOf(['unchanged', 'changed', 'added', 'removed']),
  before: side,
  after: side,
  difference: signed(),
  notEvaluated: count({ description: 'Activities for which a fact is missing; their past award counts as after' }),
  missing: list(missing, 100),
});

const offerSide = record({
  applied: count({ description: 'Activities for which it was applied' }),
  points: signed({ description: 'Points given, less the cost of a reward' }),
});

const offerRow = record({
  program: Type.String({ description: 'Code' }),
  offer: Type.String({ description: 'Code of the offer, or the code that was sent' }),
  before: offerSide,
  after: offerSide,
  difference: signed(),
});

const comparison = { before: signed(), after: signed(), difference: signed() };

const purseRow = record({
  program: Type.String({ description: 'Code' }),
  purse: Type.String(),
  ...comparison,
  costPerPoint: anyValue({ type: ['number', 'null'], description: 'Of the purse policy; null when it has none' }),
  liability: anyValue({ type: ['number', 'null'], description: 'difference times costPerPoint' }),
});

const memberRow = record({ member: Type.String({ description: '_id' }), ...comparison });

const groupRow = record({
  by: Type.String({ description: 'tier <policy>, or segment' }),
  name: Type.String(),
  activities: count(),
  ...comparison,
});

const periodRow = record({
  from: Type.String({ description: 'First day, YYYY-MM-DD, of the day, week, month or year' }),
  ...comparison,
});

/** The shape of a simulation's result. */
export const simulationResult = record({
  activities: count({ description: 'Activities compared' }),
  differing: count({ description: 'Activities with different points' }),
  failing: count({ description: 'Activities that the changed rules refuse' }),
  notEvaluated: count({ description: 'Activities for which a rule that may fire reads a missing fact' }),
  points: record(comparison),
  liability: decimal({ description: 'Difference in cost, over the purses that have a costPerPoint' }),
  rules: list(ruleRow, rowsMax, {
    description: 'Rules that fired, before or after, or that differ; largest difference first',
  }),
  offers: list(offerRow, rowsMax, { description: 'Offers and rewards that were applied; largest difference first' }),
  purses: list(purseRow, rowsMax),
  members: record({
    total: count(),
    winners: count(),
    losers: count(),
    unchanged: count(),
    mostWon: list(memberRow, namedMembersMax),
    mostLost: list(memberRow, namedMembersMax),
  }),
  byTime: Type.Optional(
    record(
      {
        unit: oneOf(['day', 'week', 'month', 'year']),
        periods: list(periodRow, rowsMax, { description: 'Without a gap from the first activity to the last' }),
      },
      {
        description:
          'Points by the date of the activity in the zone of its program: by day, and by week, month or year when there ' +
          'are more than 400. Absent in simulations of earlier versions',
      },
    ),
  ),
  groups: list(groupRow, rowsMax, { description: 'By tier and segment, as far as histories store them' }),
});

export type SimulationResult = Static<typeof simulationResult>;
