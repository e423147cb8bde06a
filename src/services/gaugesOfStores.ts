import { inboxGauges } from '../activities/inbox/inboxGauges';
import { rollUpGauges } from '../aggregates/rollUp/rollUpGauges';
import { reconcileGauges } from '../jobs/reconcileGauges';
import { timerGauges } from '../jobs/timerGauges';
import type { StoreGauges } from '../metrics/storeGauges';
import { ruleGauges } from '../rulesets/ruleGauges';
import { webhookGauges } from '../webhooks/webhookGauges';

/** All gauges whose values are in the database. */
export const gaugesOfStores: readonly StoreGauges[] = [
  inboxGauges,
  rollUpGauges,
  timerGauges,
  reconcileGauges,
  ruleGauges,
  webhookGauges,
];
