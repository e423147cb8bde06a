import Big from 'big.js';
import { localDay } from '#base/calendar/localCalendar';
import { daysBetween, isInSpan } from '#base/calendar/windows';
import type { LineItem } from '#records/activities/activity';
import { type SnapshotFact, seenAt } from '../explain/factSnapshot';
import { parseLines } from '../explain/linesText';
import { crossings, type MetricSum, readAggregateParams, readCrossedParams } from '../language/factParams';
import type { ProcessedActivity, ReturnedOfActivity } from './processedActivity';

/** The facts that are sums, and so change when a part of the value of an activity is returned. */
const factsOfSums: ReadonlySet<string> = new Set(['aggregate', 'crossed']);

/**
 * A sum of `spend`, or a crossing of it, without the returned value. The sum of the snapshot includes the value of the
 * activity itself. Other metrics stay as they were.
 */
function lessSpent(read: SnapshotFact, past: ProcessedActivity, returned: number): SnapshotFact {
  const sum = readAggregateParams(read.params);
  if (typeof read.value !== 'number' || !sum || !countsSpend(sum, past)) return read;
  if (read.fact === 'aggregate') return { ...read, value: read.value - returned };
  const crossing = readCrossedParams(read.params);
  const reached = crossing && snapshotSum(sum, read.priority, past.facts);
  if (reached === undefined) return read;
  return { ...read, value: crossings(crossing?.of ?? [], reached - past.activity.value, reached - returned) };
}

function countsSpend({ metric, period }: MetricSum, { activity, program }: ProcessedActivity): boolean {
  if (metric !== 'spend' || activity.type !== 'Accrual') return false;
  const isBetween = typeof period !== 'string' && 'from' in period;
  return !isBetween || isInSpan(daysBetween(period), localDay(activity.date, program.timezone));
}

/** The sum that rules of a priority read; the snapshot has it for every crossing. */
function snapshotSum(wanted: MetricSum, priority: number, facts: readonly SnapshotFact[]): number | undefined {
  const key = JSON.stringify(wanted);
  const readings = facts.filter(
    ({ fact, params }) => fact === 'aggregate' && JSON.stringify(readAggregateParams(params)) === key,
  );
  const value = seenAt(readings, priority)?.value;
  return typeof value === 'number' ? value : undefined;
}

/** The remaining part of an activity after returns. */
export interface RemainingActivity {
  past: ProcessedActivity;
  /** The original position of each remaining line item. */
  positions: readonly number[];
  /** Facts that were only scaled: the snapshot does not say which line items they count. */
  scaled: readonly string[];
}

/** A past activity and its facts, as if the returned parts had never belonged to it. Pure. */
export function withoutReturned(past: ProcessedActivity, back: ReturnedOfActivity): RemainingActivity {
  const { activity } = past;
  const scale = remainingScale(activity.value, back);
  const kept = activity.lineItems.flatMap((item, line) => leftOfLine(item, back.lines[line], scale, line));
  const scaled = new Set<string>();
  const facts = past.facts.flatMap((read) => {
    const sum = lineSums[read.fact];
    if (sum) return [sum(read, activity.lineItems, kept, scaled)];
    if (read.fact === 'tender') return [lessPaid(read, activity.value, back.value, scaled)];
    if (factsOfSums.has(read.fact)) return [lessSpent(read, past, back.value)];
    return atItsLine(read, kept);
  });
  const lineItems = kept.map(({ item }) => item);
  return {
    past: { ...past, activity: { ...activity, value: activity.value - back.value, lineItems }, facts },
    positions: kept.map(({ line }) => line),
    scaled: [...scaled],
  };
}

interface Scale {
  times: number;
  over: number;
}

/** The factor of returns without line items: the remaining value, over that value plus what these returns took. */
function remainingScale(value: number, { value: returned, byValue }: ReturnedOfActivity): Scale {
  const left = value - returned;
  return left + byValue > 0 ? { times: left, over: left + byValue } : { times: 1, over: 1 };
}

function scaledBy(amount: Big, { times, over }: Scale): number {
  return amount.times(times).div(over).toNumber();
}

interface RemainingLine {
  item: LineItem;
  line: number;
}

function leftOfLine(item: LineItem, back: ReturnedOfActivity['lines'][number] | undefined, scale: Scale, line: number) {
  const units = item.quantity || 1;
  const left = units - (back?.quantity ?? 0);
  if (left <= 0) return [];
  const { itemAmount, discountAmount, quantity } = item;
  const amount = itemAmount !== undefined && new Big(itemAmount).minus(back?.value ?? 0);
  const discount = discountAmount !== undefined && new Big(discountAmount).times(left).div(units);
  const leftOf: LineItem = {
    ...item,
    ...(quantity ? { quantity: left } : {}),
    ...(amount ? { itemAmount: scaledBy(amount, scale) } : {}),
    ...(discount ? { discountAmount: scaledBy(discount, scale) } : {}),
  };
  return [{ item: leftOf, line }];
}

type LineSum = (
  read: SnapshotFact,
  sold: readonly LineItem[],
  kept: readonly RemainingLine[],
  scaled: Set<string>,
) => SnapshotFact;

const amountOf = ({ itemAmount = 0 }: LineItem) => itemAmount;
const quantityOf = ({ quantity = 0 }: LineItem) => quantity;

/** The facts that are sums over line items. */
const lineSums: Readonly<Record<string, LineSum>> = {
  eligibleAmount: sumBy(amountOf),
  eligibleQuantity: sumBy(quantityOf),
};

function sumBy(part: (item: LineItem) => number): LineSum {
  const sum = (items: readonly LineItem[]) => items.reduce((total, item) => total.plus(part(item)), new Big(0));
  return (read, sold, kept, scaled) => {
    if (typeof read.value !== 'number' || sold.length === 0) return read;
    if (read.lines !== undefined) {
      const counted = parseLines(read.lines);
      return { ...read, value: sum(kept.flatMap(({ item, line }) => (counted.has(line) ? [item] : []))).toNumber() };
    }
    const before = sum(sold);
    if (before.lte(0)) return read;
    scaled.add(read.fact);
    return {
      ...read,
      value: sum(kept.map(({ item }) => item))
        .times(read.value)
        .div(before)
        .toNumber(),
    };
  };
}

/** A return does not say which tender items it pays back, so each pays back its share of the value. */
function lessPaid(read: SnapshotFact, value: number, returned: number, scaled: Set<string>): SnapshotFact {
  if (typeof read.value !== 'number' || value <= 0 || returned === 0) return read;
  scaled.add(read.fact);
  return { ...read, value: scaledBy(new Big(read.value), { times: value - returned, over: value }) };
}

/** Moves a value to the new position of its line item. Removes it when the whole line item was returned. */
function atItsLine(read: SnapshotFact, kept: readonly RemainingLine[]): SnapshotFact[] {
  if (read.line === undefined) return [read];
  const line = kept.findIndex((each) => each.line === read.line);
  return line < 0 ? [] : [{ ...read, line }];
}
