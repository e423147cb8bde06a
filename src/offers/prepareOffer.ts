import { filterFaults } from '../catalog/filterFaults';
import { collectionOf } from '../db/collections';
import { type FieldError, validationError } from '../errors';
import type { Request } from '../http/route';
import type { Offer } from '../records/offers/offer';
import type { Reward } from '../records/offers/reward';
import { pursePolicyResource } from '../records/programs/pursePolicy';
import { effectiveFaults } from '../schema/effective';
import { discountFaults } from './discountFaults';

/**
 * Checks what the schema cannot say of an offer or reward: it begins before it ends, its discount is in range,
 * its filters can be asked of products and locations, and the purse of its cost is one of the program.
 * @throws ServiceError 1200 naming every field in error
 */
export async function prepareOffer<T extends Partial<Offer> & Pick<Partial<Reward>, 'cost'>>(
  body: T,
  previous: Offer | undefined,
  request: Request,
): Promise<T> {
  const program = body.program ?? previous?.program;
  const faults = [
    ...effectiveFaults(body.effective),
    ...discountFaults(body.discount),
    ...(await filterFaults(body.productFilter, 'Product', 'productFilter', request)),
    ...(await filterFaults(body.locationFilter, 'Location', 'locationFilter', request)),
    ...(body.cost && program ? await costFaults(body.cost.purse, program, request) : []),
  ];
  if (faults.length > 0) throw validationError(faults);
  return body;
}

async function costFaults(name: string, program: Offer['program'], request: Request): Promise<FieldError[]> {
  const { services, principal } = request;
  const policies = collectionOf(services.db, pursePolicyResource);
  const found = await policies.countDocuments({ org: principal.org, program, name }, { limit: 1 });
  return found > 0 ? [] : [{ path: 'cost.purse', kind: 'reference', message: 'is no purse policy of the program' }];
}
