import type { components } from 'loyalty-client/generated/api';
import type { ActivityBody } from '../post/postActivity';

type History = components['schemas']['ActivityHistory'];
type Line = NonNullable<ActivityBody['lineItems']>[number];

/**
 * What a client posts of an activity. The member stands for its loyalty id. `externalTxnId` is left out: it belongs to
 * the refused activity forever, and the service would only answer that one again.
 */
const posted = [
  'type',
  'date',
  'srcChannelType',
  'srcChannelID',
  'value',
  'currencyCode',
  'memberID',
  'originalMemberID',
  'referralCode',
  'referredMember',
  'tenderItems',
  'couponCode',
  'chosenReward',
  'payPoints',
  'partnerCode',
  'originalTxnId',
  'locationId',
  'program',
  'utcOffset',
  'ext',
] as readonly (keyof ActivityBody & keyof History)[];

const postedOfLine = [
  '_id',
  'lineNo',
  'itemSKU',
  'itemPrice',
  'quantity',
  'itemAmount',
  'itemUOM',
  'type',
  'couponCode',
  'offerId',
  'discountAmount',
  'productId',
  'ext',
] as readonly (keyof Line)[];

/** The body that posts an activity once more, as it is stored. */
export function againBody(activity: History): ActivityBody {
  const lines = activity.lineItems?.map((line) => only(line as Line, postedOfLine)) ?? [];
  const body = only(activity as ActivityBody, posted);
  return lines.length === 0 ? body : Object.assign(body, { lineItems: lines });
}

function only<T extends object>(whole: T, names: readonly (keyof T)[]): T {
  const kept = names.filter((name) => whole[name] !== undefined).map((name) => [name, whole[name]]);
  return Object.fromEntries(kept) as T;
}
