import { ObjectId } from 'bson';
import type { Activity } from '../activities/activity';
import { EvaluationError } from './amount';
import type { DecideInput, DecideProgram, EffectTarget } from './decide';
import type { ReadFact } from './evaluate';
import { askedAggregate } from './factParams';
import type { FactRef } from './factRef';
import { type LocalTime, localTime } from './localTime';

/** The fact `member` as it is for one priority level. */
export type ReadMember = () => Readonly<Record<string, unknown>>;

/** What the facts of an activity are made from. */
type FactInput = Pick<DecideInput, 'activity' | 'program' | 'now' | 'target'>;

/** The facts of one activity (DESIGN 8, Facts): those that never change are made once, when asked for. */
export class ActivityFacts {
  private clock: LocalTime | undefined;
  private activity: Record<string, unknown> | undefined;
  private program: Record<string, unknown> | undefined;

  constructor(private readonly input: FactInput) {}

  /** What the clock of the program shows at the activity's date. */
  readonly local = (): LocalTime => {
    this.clock ??= localTime(this.input.activity.date, this.input.program.timezone);
    return this.clock;
  };

  /** Reads facts for one priority level; an unknown name throws EvaluationError. */
  reader(member: ReadMember): ReadFact {
    return (name, params) => {
      const read = readers.get(name);
      if (!read) throw new EvaluationError(`unknown fact ${name}`);
      return read(this, member, params);
    };
  }

  get activityFact(): Record<string, unknown> {
    this.activity ??= activityFact(this.input.activity);
    return this.activity;
  }

  get programFact(): Record<string, unknown> {
    this.program ??= programFact(this.input.program);
    return this.program;
  }

  get target(): EffectTarget {
    return this.input.target;
  }

  get now(): Date {
    return this.input.now;
  }
}

type Reader = (facts: ActivityFacts, member: ReadMember, params: Parameters<ReadFact>[1]) => unknown;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['activity', (facts) => facts.activityFact],
  ['program', (facts) => facts.programFact],
  ['member', (_, member) => member()],
  ['now', (facts) => facts.now],
  ['dayOfWeek', (facts) => facts.local().weekday],
  ['hour', (facts) => facts.local().hour],
  ['aggregate', (facts, _, params) => aggregate(facts.target, params)],
  ['isBirthday', (facts, member) => isBirthday(member().birthDate, facts.local())],
  ['isFirstActivity', (_, member) => (member().processedAccruals ?? 0) === 0],
]);

function aggregate(target: EffectTarget, params: FactRef['params']): number {
  const asked = askedAggregate(params);
  if (!asked) throw new EvaluationError('aggregate needs params: metric and period');
  return target.metric(asked.metric, asked.period);
}

/** Its own fields only: a caller may pass a whole record. */
function programFact({ _id, code, name, timezone }: DecideProgram): Record<string, unknown> {
  return { _id: _id.toHexString(), code, name, timezone };
}

/** Rules compare ids as texts; everything else is the activity as it is. */
function activityFact(activity: Activity): Record<string, unknown> {
  const hasIds = activity.lineItems.some(holdsId);
  const lineItems = hasIds ? activity.lineItems.map(idsAsText) : activity.lineItems;
  return { ...(holdsId(activity) ? idsAsText(activity) : activity), lineItems };
}

/** Copying is worth avoiding: an activity may have a thousand line items, and few name a record. */
function holdsId(value: object): boolean {
  for (const field of Object.values(value)) if (field instanceof ObjectId) return true;
  return false;
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
