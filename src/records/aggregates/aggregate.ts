import { type Static, type TProperties, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { Collection, Connection } from 'mongoose';
import { dayOn, type LocalDay } from '#base/calendar/localCalendar';
import { type Calendar, monthFields, type Period, periods } from '#base/calendar/periods';
import { derivedId } from '#base/db/records';
import { instant, list, objectId, record, signed, text } from '#base/schema/atoms';
import { commonFields, defineResource, type Index, type Resource } from '#base/schema/resource';

const optional = Type.Optional;
const whole = (minimum: number, maximum: number, description: string) =>
  optional(Type.Integer({ minimum, maximum, description }));

const byMonths = Object.fromEntries(
  monthFields.map(({ unit, max, description }) => [unit, whole(1, max, description)]),
) as Record<(typeof monthFields)[number]['unit'], ReturnType<typeof whole>>;

/** SPEC "Aggregate". */
const fields = {
  metricName: text(150),
  day: whole(1, 31, 'Day of the month'),
  week: whole(1, 54, 'Week of the year'),
  month: whole(1, 12, 'Month of the year'),
  ...byMonths,
  year: whole(1900, 3999, 'Year'),
  lastAggDate: instant({ description: 'When last rolled up' }),
  memberId: objectId('Member'),
  metricAggValue: signed({ default: 0, description: 'Accumulated value' }),
  expirationDate: optional(instant({ description: 'Lifetime aggregates: when it ended' })),
  mergeIds: list(objectId('Member'), 1000, { description: 'Members merged into memberId' }),
  /** The part of a daily value that the larger periods already include. */
  propagatedValue: optional(signed()),
  /** True while a daily value and `propagatedValue` may differ; absent otherwise. */
  dirty: optional(Type.Boolean()),
};

/** A stored aggregate of any period; its period decides which calendar fields it has. */
export type Aggregate = Static<ReturnType<typeof shape>>;

const shape = () => record({ ...commonFields, ...fields });

/** The seven resources of aggregates by period name, smallest period first; written by the roll-up only. */
export const aggregateResources: readonly Resource[] = periods.map(aggregateResource);

/** The local day of a daily aggregate. */
export function dayOfAggregate({ year = 0, month = 1, day = 1 }: Aggregate): LocalDay {
  return dayOn(year, month, day);
}

/** The collection of the aggregates of one period. */
export function aggregateCollection(db: Connection, period: Period): Collection<Aggregate> {
  return db.collection<Aggregate>(period.path);
}

/**
 * The id of the aggregate of a member and metric in one period. It is derived, so every roll-up computes the same id.
 */
export function aggregateId(
  period: Period,
  org: ObjectId,
  member: ObjectId,
  metric: string,
  calendar: Partial<Calendar>,
) {
  return derivedId(period.name, org, member, metric, ...period.key.map((field) => calendar[field] ?? 0));
}

function aggregateResource(period: Period): Resource {
  const bookkeeping = period.name === 'daily' ? (['propagatedValue', 'dirty'] as const) : [];
  const own: TProperties = pick([
    'metricName',
    ...period.fields,
    'lastAggDate',
    'memberId',
    'metricAggValue',
    ...(period.name === 'lifetime' ? (['expirationDate'] as const) : []),
    'mergeIds',
    ...bookkeeping,
  ]);
  return defineResource({
    name: period.model,
    path: period.path,
    access: 'ledger',
    tag: 'Aggregates',
    fields: own,
    readOnly: Object.keys(own),
    hidden: bookkeeping,
    indexes: periodIndexes(period),
  });
}

function pick(names: (keyof typeof fields)[]): TProperties {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

function periodIndexes(period: Period): Index[] {
  const end = period.name === 'lifetime' ? ['expirationDate'] : period.key;
  const keys = Object.fromEntries(['org', 'memberId', 'metricName', ...end].map((field) => [field, 1 as const]));
  const unique: Index = { keys, unique: true };
  if (period.name !== 'daily') return [unique];
  // The order in which the roll-up reads them, so that the days of one member and metric are folded together.
  return [unique, { keys: { org: 1, memberId: 1, metricName: 1, dirty: 1 }, where: { dirty: true } }];
}
