import { weekdays } from '#base/calendar/dueTimes';
import { ifThenElse } from '#base/schema/ifThenElse';
import { timedOccasionTypes } from '#records/activities/occasion';
import { yearDayPattern } from '../format/schedule';

const ofType = (type: string) => ({
  properties: { activityTypes: { contains: { const: type } } },
  required: ['activityTypes'],
});

const withSchedule = (schedule: object) => ({ properties: { schedule } });

/** Other types that the calendar brings are not with Scheduled, which needs how often. */
const ofScheduled = {
  properties: {
    activityTypes: { not: { contains: { enum: timedOccasionTypes.filter((type) => type !== 'Scheduled') } } },
    schedule: { required: ['every'], properties: { daysBefore: false } },
  },
  required: ['schedule'],
};

const ofOthers = withSchedule({ properties: { every: false, on: false, segment: false } });

const every = (unit: string) => ({
  properties: { schedule: { properties: { every: { const: unit } }, required: ['every'] } },
  required: ['schedule'],
});

const on = (days: object) => withSchedule({ properties: { on: days }, required: ['on'] });

/** How the schedule of a rule depends on its activity types, and its fields on each other; for a schema of rules. */
export const scheduleDependencies: object[] = [
  ifThenElse(ofType('Scheduled'), ofScheduled, ofOthers),
  ifThenElse(ofType('PointsExpiring'), { ...withSchedule({ required: ['daysBefore'] }), required: ['schedule'] }),
  ifThenElse(
    { required: ['schedule'] },
    { properties: { activityTypes: { contains: { enum: [...timedOccasionTypes] } } } },
  ),
  ifThenElse(every('day'), withSchedule({ properties: { on: false } })),
  ifThenElse(every('week'), on({ enum: [...weekdays] })),
  ifThenElse(every('month'), on({ anyOf: [{ type: 'integer' }, { const: 'last' }] })),
  ifThenElse(every('year'), on({ type: 'string', pattern: `^${yearDayPattern}$` })),
];
