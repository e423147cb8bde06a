import { ObjectId } from 'bson';
import type { Activity } from '../activities/activity';
import { EvaluationError } from './amount';
import type { DecideInput, DecideProgram } from './decide';
import type { ReadFact } from './evaluate';
import { type LocalTime, localTime } from './localTime';

/** The facts of one activity: those that never change, and the clock of the program, each made once when asked for. */
export interface ActivityFacts {
  local(): LocalTime;
  /** Facts for one priority level, with the member as it is then. */
  reader(member: Readonly<Record<string, unknown>>): ReadFact;
}

/** The facts of an activity (DESIGN 8, Facts); an unknown name throws EvaluationError. */
export function activityFacts({ activity, program, now }: DecideInput): ActivityFacts {
  let local: LocalTime | undefined;
  const localOnce = () => (local ??= localTime(activity.date, program.timezone));
  const fixed: Record<string, () => unknown> = {
    activity: once(() => activityFact(activity)),
    program: once(() => programFact(program)),
    now: () => now,
    dayOfWeek: () => localOnce().weekday,
    hour: () => localOnce().hour,
  };
  return {
    local: localOnce,
    reader: (member) => {
      const facts: Record<string, () => unknown> = {
        ...fixed,
        member: () => member,
        isBirthday: () => isBirthday(member.birthDate, localOnce()),
        isFirstActivity: () => (member.processedAccruals ?? 0) === 0,
      };
      return (name) => {
        const read = facts[name];
        if (!read) throw new EvaluationError(`unknown fact ${name}`);
        return read();
      };
    },
  };
}

/** Its own fields only: a caller may pass a whole record. */
function programFact({ _id, code, name, timezone }: DecideProgram): Record<string, unknown> {
  return { _id: _id.toHexString(), code, name, timezone };
}

/** Rules compare ids as texts; everything else is the activity as it is. */
function activityFact(activity: Activity): Record<string, unknown> {
  return { ...idsAsText(activity), lineItems: activity.lineItems.map(idsAsText) };
}

/** A record with its ObjectIds as hexadecimal texts. */
export function idsAsText(value: object): Record<string, unknown> {
  const result: Record<string, unknown> = { ...value };
  for (const key in result) {
    const field = result[key];
    if (field instanceof ObjectId) result[key] = field.toHexString();
  }
  return result;
}

function isBirthday(birthDate: unknown, { year, month, day }: LocalTime): boolean {
  if (typeof birthDate !== 'string') return false;
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const monthDay = birthDate.slice(5, 10);
  const celebrated = monthDay === '02-29' && !isLeapYear ? '02-28' : monthDay;
  return celebrated === `${twoDigits(month)}-${twoDigits(day)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
