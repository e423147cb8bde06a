import { type FieldError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { readLocal } from '#base/db/readLocal';
import { effectiveFaults } from '#base/schema/atoms';
import { folded } from '#base/schema/findable';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { filterFaults } from '#programs/catalog/filterFaults';
import type { Offer } from '#records/offers/offer';
import { type Discount, discountRanges } from '#records/offers/offerFields';
import type { Reward, RewardCost } from '#records/offers/reward';
import { pursePolicyResource } from '#records/programs/pursePolicy';

/**
 * Checks rules of an offer or reward that the schema cannot express: it begins before it ends, its discount is in
 * range, its filters are valid queries of products and locations, and its cost names a purse of the program.
 * @throws ServiceError 1200 naming every field in error
 */
export async function prepareOffer<T extends Partial<Offer> & Pick<Partial<Reward>, 'cost'>>(
  body: T,
  context: OrgContext,
  previous?: Offer,
): Promise<T> {
  const program = body.program ?? previous?.program;
  const faults = [
    ...effectiveFaults(body.effective),
    ...discountFaults(body.discount),
    ...(await filterFaults(body.productFilter, 'Product', 'productFilter', context)),
    ...(await filterFaults(body.locationFilter, 'Location', 'locationFilter', context)),
    ...(body.cost ? moneyFaults(body.cost) : []),
    ...(body.cost && program ? await costFaults(body.cost.purse, program, context) : []),
  ];
  if (faults.length > 0) throw validationError(faults);
  return body.code === undefined ? body : { ...body, codeKey: folded(body.code) };
}

async function costFaults(name: string, program: Offer['program'], context: OrgContext): Promise<FieldError[]> {
  const { services, principal } = context;
  const policies = collectionOf(services.db, pursePolicyResource);
  const found = await policies.countDocuments({ org: principal.org, program, name }, { limit: 1, ...readLocal });
  return found > 0 ? [] : [{ path: 'cost.purse', kind: 'reference', ...message('refs.notPurseOfProgram') }];
}

/** Checks how much of a cost may be paid in money. */
function moneyFaults({ points, leastPoints, pointValue }: RewardCost): FieldError[] {
  if (leastPoints === undefined && pointValue === undefined) return [];
  const missing = leastPoints === undefined ? 'leastPoints' : pointValue === undefined ? 'pointValue' : undefined;
  if (missing) return [{ path: `cost.${missing}`, kind: 'required', ...message('offers.neededForMoney') }];
  if (leastPoints === undefined || leastPoints <= points) return [];
  return [{ path: 'cost.leastPoints', kind: 'maximum', ...message('offers.aboveCost', { points }) }];
}

/** Checks the range of a discount's value, which depends on the type of the discount. */
function discountFaults(discount: Discount | undefined): FieldError[] {
  if (!discount) return [];
  const { type, value } = discount;
  const { max, isWhole } = discountRanges[type];
  const path = 'discount.value';
  if (value <= 0) return [{ path, kind: 'exclusiveMinimum', ...message('schema.aboveZero') }];
  if (value > max) return [{ path, kind: 'maximum', ...message('offers.maximumForType', { max, type }) }];
  if (isWhole && !Number.isInteger(value))
    return [{ path, kind: 'type', ...message('offers.integerForType', { type }) }];
  return [];
}
