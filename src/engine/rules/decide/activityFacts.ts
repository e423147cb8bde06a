import { ObjectId } from 'bson';
import { type LocalTime, localTime } from '#base/calendar/localCalendar';
import { twoDigits } from '#base/calendar/twoDigits';
import type { Activity } from '#records/activities/activity';
import { type Eligible, eligible } from '../evaluate/eligible';
import { listsFact } from '../evaluate/resolvedLists';
import type { Enriched } from '../format/enriched';
import { tenderSum } from '../format/factsOfActivity';
import { recordFact } from '../format/recordFacts';
import { readAwardFilter } from '../language/awardFilter';
import { type Clock, clockTimezone, readClock } from '../language/clock';
import { EvaluationError } from '../language/evaluationError';
import { crossings, readAggregateParams, readCrossedParams } from '../language/factParams';
import type { FactRef, ReadFact } from '../language/factRef';
import { idsAsText } from '../language/operators';
import { ActivityAwards } from './awardsAndUses';
import { birthMonth, daysSince } from './daysSince';
import type { DecideInput, DecideProgram, EffectTarget } from './decideInput';

/** Reads the fact `member` as one priority level sees it. */
export type ReadMember = () => Readonly<Record<string, unknown>>;

/** The input from which the facts of an activity are made. */
type FactInput = Pick<DecideInput, 'activity' | 'program' | 'now' | 'target' | 'enriched' | 'lists'>;

/** The facts of one activity (docs/design/rules.md). Facts that never change are computed once, at first use. */
export class ActivityFacts {
  private readonly locals: Partial<Record<Clock, LocalTime>> = {};
  private last: (ActivityView & { fact: Record<string, unknown> }) | undefined;
  private readonly eligibles = new Map<FactRef['params'], Eligible>();
  /** What rules gave so far. */
  readonly awards = new ActivityAwards();

  constructor(readonly input: FactInput) {}

  /** The activity's date as local time of the program, or of the location. */
  readonly local = (clock: Clock = 'program'): LocalTime => {
    const { activity, program, enriched } = this.input;
    this.locals[clock] ??= localTime(
      activity.date,
      clock === 'location' ? clockTimezone(clock, program, enriched.location) : program.timezone,
    );
    return this.locals[clock];
  };

  /**
   * Makes the reader of facts for one priority level. The reader throws EvaluationError for an unknown name.
   * @param line position of the line item for which a rule with `perLine` is evaluated
   */
  reader(member: ReadMember, line?: number): ReadFact {
    // Read now, because effects of this level may add products to the line items.
    const { hasProducts, activityExt } = this.input.target;
    const view = { facts: this, member, line, hasProducts, ext: activityExt };
    return (name, params) => {
      const read = readers.get(name);
      if (!read) throw new EvaluationError(`unknown fact ${name}`);
      return read(view, params);
    };
  }

  /** The activity with the changes that rules made. */
  activity({ hasProducts, ext }: ActivityView): Record<string, unknown> {
    if (this.last?.hasProducts !== hasProducts || this.last.ext !== ext) {
      const { activity, enriched } = this.input;
      const fact = activityFact(activity, hasProducts ? enriched.products : noProducts);
      this.last = { hasProducts, ext, fact: ext ? { ...fact, ext } : fact };
    }
    return this.last.fact;
  }

  lineItem({ line, ...view }: ActivityView & { line: number | undefined }): unknown {
    const { lineItems } = this.activity(view);
    return line !== undefined && Array.isArray(lineItems) ? lineItems[line] : undefined;
  }

  product(line: number | undefined): unknown {
    const { activity, enriched } = this.input;
    const item = line === undefined ? undefined : activity.lineItems[line];
    return recordFact('product', enriched.products.get(item?.itemSKU ?? ''));
  }

  eligible(params: FactRef['params']): Eligible {
    const { activity, enriched, lists } = this.input;
    const known = this.eligibles.get(params) ?? eligible(activity.lineItems, enriched, lists, params);
    this.eligibles.set(params, known);
    return known;
  }
}

/** The changes that rules of higher priority made to the activity. */
interface ActivityView {
  hasProducts: boolean;
  ext: Record<string, unknown> | undefined;
}

/** The facts as one priority level, or one line item in it, sees them. */
interface FactView extends ActivityView {
  facts: ActivityFacts;
  member: ReadMember;
  line: number | undefined;
}

type Reader = (view: FactView, params: FactRef['params']) => unknown;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['activity', (view) => view.facts.activity(view)],
  ['program', ({ facts }) => programFact(facts.input.program)],
  ['member', ({ member }) => member()],
  ['location', ({ facts }) => recordFact('location', facts.input.enriched.location)],
  ['partner', ({ facts }) => recordFact('partner', facts.input.enriched.partner)],
  ['lineItem', (view) => view.facts.lineItem(view)],
  ['product', ({ facts, line }) => facts.product(line)],
  ['now', ({ facts }) => facts.input.now],
  ['dayOfWeek', ({ facts }, params) => facts.local(readClock(params)).weekday],
  ['hour', ({ facts }, params) => facts.local(readClock(params)).hour],
  ['isBirthday', ({ facts, member }) => isBirthday(member().birthDate, facts.local())],
  ['birthMonth', ({ member }) => birthMonth(member())],
  [
    'daysSince',
    ({ facts: { input }, member }, params) => {
      const { date } = input.activity;
      const lastVisit = () => input.target.lastVisit();
      return daysSince(params, { member: member(), date, timezone: input.program.timezone, lastVisit });
    },
  ],
  ['isFirstActivity', ({ member }) => (member().processedAccruals ?? 0) === 0],
  ['eligibleAmount', ({ facts }, params) => facts.eligible(params).amount],
  ['eligibleQuantity', ({ facts }, params) => facts.eligible(params).quantity],
  ['aggregate', ({ facts }, params) => aggregate(facts.input.target, params)],
  ['crossed', ({ facts }, params) => crossed(facts.input.target, params)],
  ['tender', ({ facts }, params) => tenderSum(facts.input.activity, params)],
  ['pointsOfActivity', ({ facts }, params) => facts.awards.points(readAwardFilter(params))],
  ['amountOfActivity', ({ facts }, params) => facts.awards.amount(readAwardFilter(params).rule ?? '')],
  [listsFact, ({ facts }) => facts.input.lists],
]);

function aggregate(target: EffectTarget, params: FactRef['params']): number {
  const request = readAggregateParams(params);
  if (!request) throw new EvaluationError('aggregate needs params: metric and period');
  return target.metric(request);
}

function crossed(target: EffectTarget, params: FactRef['params']): number {
  const request = readCrossedParams(params);
  if (!request) throw new EvaluationError('crossed needs params: metric, period, and every or at');
  return crossings(request.of, target.metricBefore(request), target.metric(request));
}

/** Picks the documented fields, because a caller may pass a whole record. */
function programFact({ _id, code, name, timezone }: DecideProgram): Record<string, unknown> {
  return { _id: _id.toHexString(), code, name, timezone };
}

/** The activity with its ids as strings, because rules compare ids as strings. */
function activityFact(activity: Activity, products: Enriched['products']): Record<string, unknown> {
  const lineItems = products.size > 0 ? activity.lineItems.map(withProduct(products)) : plainItems(activity.lineItems);
  const fact = { ...(holdsId(activity) ? idsAsText(activity) : activity), lineItems };
  return activity.occasion ? { ...fact, occasion: idsAsText(activity.occasion) } : fact;
}

function plainItems(lineItems: Activity['lineItems']): readonly object[] {
  return lineItems.some(holdsId) ? lineItems.map(idsAsText) : lineItems;
}

function withProduct(products: Enriched['products']) {
  return (item: Activity['lineItems'][number]): object => {
    const product = recordFact('product', products.get(item.itemSKU ?? ''));
    return product ? { ...idsAsText(item), product } : idsAsText(item);
  };
}

/**
 * Tells whether a copy with string ids is needed. Most line items have no id, and an activity may have a thousand of
 * them.
 */
function holdsId(value: object): boolean {
  for (const field of Object.values(value)) if (field instanceof ObjectId) return true;
  return false;
}

const noProducts: Enriched['products'] = new Map();

function isBirthday(birthDate: unknown, { year, month, day }: LocalTime): boolean {
  if (typeof birthDate !== 'string') return false;
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const monthDay = birthDate.slice(5, 10);
  const celebrated = monthDay === '02-29' && !isLeapYear ? '02-28' : monthDay;
  return celebrated === `${twoDigits(month)}-${twoDigits(day)}`;
}
