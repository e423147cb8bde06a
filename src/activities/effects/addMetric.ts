import { addTerm } from '../../calendar/localCalendar';
import type { AddMetricEffect } from '../../rules/language/effect';
import type { CarryOut } from './carryOut';

/** Adds to a metric of the member; its lifetime aggregate may end, counted from the activity's date. */
export const addMetric: CarryOut<AddMetricEffect> = (target, { type, metric, value, expires }, rule) => {
  const { state, activity } = target.input;
  const end = expires && addTerm(activity.date, expires.value, expires.unit, state.program.timezone);
  target.addMetric(metric, value, { expirationDate: end });
  target.log.record(type, rule, { metric, value });
  return undefined;
};
