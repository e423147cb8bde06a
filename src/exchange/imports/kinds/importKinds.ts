import { locationWrites, productWrites } from '#programs/catalog/catalogWrites';
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
  products: recordKind(productWrites, 'sku'),
  locations: recordKind(locationWrites, 'number'),
  coupons,
};
