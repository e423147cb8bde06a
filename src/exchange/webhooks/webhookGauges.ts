import { type StoreGauges, storeGaugeLimits } from '#base/metrics/storeGauges';
import { countedMax, countPending } from './countPending';

const pending = 'loyalty_webhook_pending';

/** The gauge of the deliveries that wait, of all orgs. */
export const webhookGauges: StoreGauges = {
  gauges: { [pending]: { help: `Deliveries to webhooks that wait, counted up to ${countedMax}` } },
  async read({ db }) {
    return { [pending]: [{ value: await countPending(db, storeGaugeLimits.queryMs) }] };
  },
};
