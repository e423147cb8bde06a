import { type Static, type TObject, Type } from '@sinclair/typebox';
import { type PeriodUnit, periodUnits } from '../../calendar/periods';
import { oneOf, record } from '../../schema/atoms';
import { makeShapeCheck, type ShapeCheck } from '../source/checkShape';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import type { FactRef } from './factRef';

/** The schema and checks of the params of a fact. */
export interface FactParams {
  shape: TObject;
  check: ShapeCheck;
  /** Warns of params that are valid but probably a mistake. */
  warn?(source: RuleSource, at: JsonPath, params: unknown): void;
}

const aggregateShape = record({
  metric: Type.String({
    minLength: 1,
    maxLength: 150,
    description:
      'spend, visits, pointsEarned, pointsRedeemed, pointsExpired (the last three also of one purse: pointsEarned:Points), or one of addMetric',
  }),
  period: oneOf(periodUnits, { description: "The one that the activity's date lies in, in the program's time zone" }),
});

const checkAggregate = makeShapeCheck(aggregateShape);

/** Params of the fact `aggregate`. A metric that is not in `metrics` causes a warning, unless `metrics` is empty. */
export function aggregateParams(metrics: readonly string[]): FactParams {
  return {
    shape: aggregateShape,
    check: checkAggregate,
    warn(source, at, params) {
      const { metric = '' } = aggregateParamsOf(recordOf(params)) ?? {};
      if (metrics.length === 0 || metrics.includes(metric)) return;
      source.warning([...at, 'metric'], `no rule counts the metric "${metric}"${didYouMean(metric, metrics)}`);
    },
  };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The metric and period of a reference to `aggregate`; undefined when its params are invalid. */
export function aggregateParamsOf(params: FactRef['params']): Static<typeof aggregateShape> | undefined {
  const { metric, period } = params ?? {};
  const isFit = typeof metric === 'string' && isPeriod(period);
  return isFit ? { metric, period } : undefined;
}

function isPeriod(value: unknown): value is PeriodUnit {
  return periodUnits.some((unit) => unit === value);
}
