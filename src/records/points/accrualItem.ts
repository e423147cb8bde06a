import { ext } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';
import { createCountAll } from '#records/aggregates/countAll';
import { couponIndexes } from './couponIndexes';
import { externalId, hiddenLotFields, lotFields } from './lot';

/** Accrual items (SPEC "Accrual item"). Clients read them; the pipeline and timers write them. */
export const accrualItemResource = defineResource({
  name: 'AccrualItem',
  path: 'accrualitems',
  access: 'ledger',
  tag: 'Points and tiers',
  // Changes by hand. The journal records them as `adjust`, so that journal and balances always agree.
  permissions: { create: 'accrualitems:write', update: 'accrualitems:write', delete: 'accrualitems:write' },
  fields: { ...lotFields, externalId, ext: ext() },
  hidden: [...hiddenLotFields],
  countAll: createCountAll('accrualitems'),
  indexes: [
    { keys: { org: 1, member: 1, state: 1, dtExpiresOn: 1 } },
    { keys: { org: 1, activity: 1 } },
    ...couponIndexes,
    { keys: { org: 1, externalId: 1 }, unique: true, where: { externalId: { $exists: true } } },
    { keys: { org: 1, member: 1, repaidSeq: -1 }, where: { repaidPoints: { $gt: 0 } } },
  ],
});
