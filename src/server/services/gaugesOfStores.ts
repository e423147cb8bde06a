import { inboxGauges } from '#activities/inbox/inboxGauges';
import type { StoreGauges } from '#base/metrics/storeGauges';
import { webhookGauges } from '#exchange/webhooks/webhookGauges';
import { rollUpGauges } from '#members/aggregates/rollUp/rollUpGauges';
import { reconcileGauges } from '#operations/jobs/reconcileGauges';
import { timerGauges } from '#operations/jobs/timerGauges';
import { ruleGauges } from '#publishing/rulesets/ruleGauges';

/** All gauges whose values are in the database. */
export const gaugesOfStores: readonly StoreGauges[] = [
  inboxGauges,
  rollUpGauges,
  timerGauges,
  reconcileGauges,
  ruleGauges,
  webhookGauges,
];
