import { type Static, type TObject, Type } from '@sinclair/typebox';
import { count, ext, fixedField, instant, integerMax, objectId, readOnlyField, record } from '#base/schema/atoms';
import { accrualItemResource } from '#records/points/accrualItem';
import { externalId } from '#records/points/lot';

const dates = {
  dtEscrowsOn: Type.Optional(instant({ description: 'When its escrow ends. Fixed once it has ended' })),
  dtExpiresOn: Type.Optional(instant({ description: 'When it expires. Fixed once no points are left' })),
};

/** For fields that every item has: null is refused. */
const needed = { 'x-required': true };

const itemToAdd = record({
  member: objectId('Member'),
  purse: objectId('PursePolicy', { description: 'Purse policy of the purse that gets the points' }),
  accruedPoints: Type.Integer({ minimum: 1, maximum: integerMax }),
  dtEarned: Type.Optional(instant({ description: 'Defaults to now' })),
  ...dates,
  externalId,
  ext: ext(),
});

export type ItemToAdd = Static<typeof itemToAdd>;

const itemChange = record({
  availablePoints: Type.Optional(count({ description: 'May grow only after its escrow has ended', ...needed })),
  escrowedPoints: Type.Optional(count({ description: 'May grow only while its escrow has not ended', ...needed })),
  ...dates,
  dtEscrowsOn: Type.Optional({ ...dates.dtEscrowsOn, ...needed }),
  ext: ext(),
});

export type ItemChange = Static<typeof itemChange>;

/** The body of `POST /accrualitems`: points added by hand. Missing dates follow from the terms of the purse policy. */
export const itemCreateBody = refusingOthers(itemToAdd);

/** The body of `PUT` and `PATCH /accrualitems/{id}`: the points of the item after the change, and its dates. */
export const itemUpdateBody = refusingOthers(itemChange);

/** Refuses all other fields with kind `readOnly`: the ledger computes them, or they are set once at creation. */
function refusingOthers(body: TObject): TObject {
  const others = Object.keys(accrualItemResource.shape.properties).filter((name) => !(name in body.properties));
  const refused = others.map((name) => [name, name in itemToAdd.properties ? fixedField() : readOnlyField()] as const);
  return record({ ...body.properties, ...Object.fromEntries(refused) });
}
