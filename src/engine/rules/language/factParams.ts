import { type TObject, Type } from '@sinclair/typebox';
import { isHours } from '#base/calendar/windows';
import { message, pickMessage } from '#base/common/messages/message';
import { asRecord } from '#base/common/plainObject';
import { integerMax, list, record } from '#base/schema/atoms';
import { makeShapeCheck, type ShapeCheck } from '../source/checkShape';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import type { FactRef } from './factRef';
import { type MetricPeriod, metricPeriodShape, periodFault, readMetricPeriod, tierOfPeriod } from './metricPeriod';

/** The schema and checks of the params of a fact. */
export interface FactParams {
  shape: TObject;
  check: ShapeCheck;
  /** Warns of params that are valid but probably a mistake. */
  warn?(source: RuleSource, at: JsonPath, params: unknown): void;
}

const sumFields = {
  metric: Type.String({
    minLength: 1,
    maxLength: 150,
    description:
      'spend, visits, pointsEarned, pointsRedeemed, pointsExpired (the last three also of one purse: pointsEarned:Points), or one of addMetric',
  }),
  period: metricPeriodShape,
};

const aggregateShape = record(sumFields);
const checkAggregate = makeShapeCheck(aggregateShape);

/** Most thresholds of `crossed`. */
const thresholdsMax = 100;

const crossedShape = record({
  ...sumFields,
  every: Type.Optional(
    Type.Integer({ minimum: 1, maximum: integerMax, description: 'Counts its multiples; needs no at' }),
  ),
  at: Type.Optional(
    list(Type.Integer({ minimum: 1, maximum: integerMax }), thresholdsMax, {
      minItems: 1,
      uniqueItems: true,
      description: 'Counts these sums; needs no every',
    }),
  ),
});

const checkCrossed = makeShapeCheck(crossedShape);

/** The metrics that rules of a program count, and its tier policies. Without any, no name is checked. */
interface SumNames {
  metrics: readonly string[];
  tiers: readonly string[] | undefined;
}

/** Params of the fact `aggregate`. A metric that is not in `metrics` causes a warning, unless `metrics` is empty. */
export function aggregateParams(names: SumNames): FactParams {
  return sumParams(aggregateShape, names, checkAggregate);
}

/** Params of the fact `crossed`: those of `aggregate`, and either `every` or `at`. */
export function crossedParams(names: SumNames): FactParams {
  return sumParams(crossedShape, names, (source, at, params) => {
    if (!checkCrossed(source, at, params)) return false;
    const { every, at: thresholds } = asRecord(params);
    if ((every === undefined) !== (thresholds === undefined)) return true;
    source.error(at, message('rules.everyOrAt'));
    return false;
  });
}

function sumParams(shape: TObject, { metrics, tiers }: SumNames, checkShape: ShapeCheck): FactParams {
  return {
    shape,
    check: (source, at, params) => checkShape(source, at, params) && checkPeriod(source, at, params, tiers),
    warn(source, at, params) {
      const { metric = '' } = readAggregateParams(asRecord(params)) ?? {};
      if (metrics.length === 0 || metrics.includes(metric)) return;
      source.warning([...at, 'metric'], didYouMean(message('rules.metricNotCounted', { metric }), metric, metrics));
    },
  };
}

function checkPeriod(source: RuleSource, at: JsonPath, params: unknown, tiers: readonly string[] | undefined): boolean {
  const { metric, period } = readAggregateParams(asRecord(params)) ?? {};
  if (metric === undefined || period === undefined) return true;
  const tier = tierOfPeriod(period);
  const fault = periodFault(period);
  if (fault) source.error([...at, 'period', ...fault.at], pickMessage(fault));
  else if (tier !== undefined && tiers && !tiers.includes(tier)) {
    source.error(
      [...at, 'period', 'year', 'tier'],
      didYouMean(message('rules.unknownTierPolicy', { name: tier }), tier, tiers),
    );
  } else if (metric.startsWith('pointsExpired') && typeof period === 'object' && isHours(period)) {
    source.error([...at, 'period', 'unit'], message('rules.pointsExpireByDays'));
  } else return true;
  return false;
}

/** A sum of a metric that a fact reads. */
export interface MetricSum {
  metric: string;
  period: MetricPeriod;
}

/** The metric and period of a reference to `aggregate` or `crossed`; undefined when its params are invalid. */
export function readAggregateParams(params: FactRef['params']): MetricSum | undefined {
  const { metric, period } = params ?? {};
  const known = readMetricPeriod(period);
  return typeof metric === 'string' && known ? { metric, period: known } : undefined;
}

/** What `crossed` counts: a sum, and the thresholds. */
export interface Crossing extends MetricSum {
  /** The multiples of this, or the listed sums. */
  of: number | readonly number[];
}

/** The params of a reference to `crossed`; undefined when they are invalid. */
export function readCrossedParams(params: FactRef['params']): Crossing | undefined {
  const sum = readAggregateParams(params);
  const { every, at } = params ?? {};
  if (!sum) return undefined;
  if (typeof every === 'number' && every > 0) return { ...sum, of: every };
  return Array.isArray(at) ? { ...sum, of: at.filter((each) => typeof each === 'number') } : undefined;
}

/**
 * How many thresholds lie above `before` and not above `after`: 0 when the sum did not rise. A sum that reaches a
 * threshold exactly has crossed it.
 */
export function crossings(of: Crossing['of'], before: number, after: number): number {
  if (typeof of !== 'number') return of.filter((each) => before < each && each <= after).length;
  return Math.max(0, multiples(after, of) - multiples(before, of));
}

/** The positive multiples of `every` up to a sum. The remainder is exact for all whole numbers; a quotient is not. */
function multiples(sum: number, every: number): number {
  return sum < every ? 0 : (sum - (sum % every)) / every;
}
