import { Histogram } from 'prom-client';

/** Time of the rules of one activity, with those of posts that are only evaluated (`persist=false`). */
export const ruleEvaluation = new Histogram({
  name: 'loyalty_rule_evaluation_seconds',
  help: 'Time to evaluate the rules of one activity',
  buckets: [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
});
