/** What can be imported. */
export const importKindNames = ['members', 'accrualitems', 'activities', 'products', 'locations', 'coupons'] as const;

export type ImportKindName = (typeof importKindNames)[number];
