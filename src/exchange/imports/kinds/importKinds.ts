import { locationResource } from '#records/catalog/location';
import { productResource } from '#records/catalog/product';
import type { ImportKindName } from '#records/imports/importKindNames';
import { accrualItems } from './accrualItems';
import { activities } from './activities';
import { coupons } from './coupons';
import type { ImportKind } from './importKind';
import { members } from './members';
import { recordKind } from './recordKind';

/** Every kind of import. */
export const importKinds: Readonly<Record<ImportKindName, ImportKind>> = {
  members,
  accrualitems: accrualItems,
  activities,
  products: recordKind(productResource, 'sku'),
  locations: recordKind(locationResource, 'number'),
  coupons,
};
