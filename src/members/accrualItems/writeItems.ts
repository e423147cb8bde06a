import { ObjectId } from 'bson';
import { type FieldError, invalidField, validationError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import type { InCommit } from '#base/db/transaction';
import type { DocOf } from '#base/schema/resource';
import { addAdjusted, adjust, redate } from '#engine/points/ledger/adjust';
import { adjustMember, type ChangedItem } from '#members/memberState/adjustMember';
import type { MemberState } from '#members/memberState/memberState';
import { readMember } from '#members/memberState/readMember';
import { uniqueFault } from '#platform/recordWrites/uniqueFault';
import type { WriteContext } from '#platform/recordWrites/writeContext';
import type { accrualItemResource } from '#records/points/accrualItem';
import type { Lot } from '#records/points/lot';
import type { ItemChange, ItemToAdd } from './itemBodies';

type Item = DocOf<typeof accrualItemResource>;

/**
 * `POST /accrualitems`: adds points to a purse by hand (docs/design/points.md).
 * @throws ServiceError 1200 for an unknown member, a purse of another program, dates in the wrong order, or a taken
 *   `externalId`; 1510 when the member was merged or erased
 */
export async function addItem(body: ItemToAdd, context: WriteContext, inCommit?: InCommit<Item>): Promise<Item> {
  const { services, principal, auditor } = context;
  const { member } = body;
  await readMember(services.db, principal.org, member).catch(asReference);
  const id = new ObjectId();
  try {
    const byHand = { member, action: 'create' } as const;
    return await adjustMember(services, auditor, byHand, (state) => addTo(state, body, id), inCommit);
  } catch (error) {
    throw uniqueFault(error, body);
  }
}

/**
 * Adds the points of an item to the ledger of its member.
 * @throws ServiceError 1200 for a purse of another program or dates in the wrong order, before anything is changed
 */
export function addTo(state: MemberState, body: ItemToAdd, _id: ObjectId): ChangedItem {
  const { now } = state.ledger;
  const { purse, accruedPoints: points, dtEarned: date = now, dtEscrowsOn, dtExpiresOn, externalId, ext } = body;
  requirePurse(state, purse);
  requireOrder({ dtEarned: date, dtEscrowsOn: dtEscrowsOn ?? date, dtExpiresOn });
  addAdjusted(state.ledger, { _id, purse, points, date, origin: {}, ...definedDates(body) });
  return { item: _id, fields: { ...(externalId === undefined ? {} : { externalId }), ...(ext ? { ext } : {}) } };
}

/**
 * `PUT` and `PATCH /accrualitems/{id}`: changes the points and dates of an item (docs/design/points.md).
 * @throws ServiceError 1200 naming each change that the item's present state does not allow
 */
export async function changeItem(item: Item, body: ItemChange, context: WriteContext): Promise<Item> {
  const { member, _id, updatedAt: asOf } = item;
  const byHand = { member, item: _id, asOf, action: 'update' } as const;
  return adjustMember(context.services, context.auditor, byHand, ({ ledger }) => {
    const lot = ledger.lot(item._id) ?? item;
    const { availablePoints = lot.availablePoints, escrowedPoints = lot.escrowedPoints, ...others } = body;
    const dates = datesAfter(lot, body);
    refuseChange(lot, body, ledger.now);
    requireOrder({ dtEarned: lot.dtEarned, ...dates });
    adjust(ledger, {
      lot: item._id,
      available: availablePoints - lot.availablePoints,
      escrow: escrowedPoints - lot.escrowedPoints,
    });
    if ('dtEscrowsOn' in body || 'dtExpiresOn' in body) redate(ledger, item._id, dates);
    return { item: item._id, fields: others };
  });
}

/** `DELETE /accrualitems/{id}`: removes the points that are left. The item and its journal entries stay. */
export async function removeItem(item: Item, context: WriteContext): Promise<void> {
  const byHand = { member: item.member, item: item._id, action: 'delete' } as const;
  await adjustMember(context.services, context.auditor, byHand, ({ ledger }) => {
    const { availablePoints, escrowedPoints } = ledger.lot(item._id) ?? item;
    adjust(ledger, { lot: item._id, available: -availablePoints, escrow: -escrowedPoints });
    return { item: item._id };
  });
}

function definedDates({ dtEscrowsOn, dtExpiresOn }: Pick<ItemChange, 'dtEscrowsOn' | 'dtExpiresOn'>) {
  return { ...(dtEscrowsOn ? { dtEscrowsOn } : {}), ...(dtExpiresOn ? { dtExpiresOn } : {}) };
}

/** The dates of a lot after a change. A date that the change clears is undefined in it. */
function datesAfter(lot: Lot, change: ItemChange): Pick<Lot, 'dtEscrowsOn' | 'dtExpiresOn'> {
  const { dtExpiresOn } = 'dtExpiresOn' in change ? change : lot;
  return { dtEscrowsOn: change.dtEscrowsOn ?? lot.dtEscrowsOn, ...(dtExpiresOn ? { dtExpiresOn } : {}) };
}

function asReference(error: unknown): never {
  if (error instanceof Error && 'reason' in error && error.reason === 'notFound') {
    throw invalidField('member', 'reference', message('refs.noMember'));
  }
  throw error;
}

function requirePurse({ policies }: MemberState, purse: ObjectId): void {
  if (policies.some(({ _id }) => _id.equals(purse))) return;
  throw invalidField('purse', 'reference', message('refs.notPurseOfMember'));
}

/**
 * Checks the order of dates. Points can first be used at `dtEscrowsOn`, so they must be earned before it and expire
 * after it.
 */
function requireOrder(dates: { dtEarned: Date; dtEscrowsOn: Date; dtExpiresOn?: Date | undefined }): void {
  const { dtEarned, dtEscrowsOn, dtExpiresOn } = dates;
  if (dtEscrowsOn < dtEarned) throw invalidField('dtEscrowsOn', 'date', message('accrualItems.beforeEarned'));
  if (dtExpiresOn && dtExpiresOn <= dtEscrowsOn)
    throw invalidField('dtExpiresOn', 'date', message('accrualItems.beforeRelease'));
}

function refuseChange(lot: Lot, change: ItemChange, now: Date): void {
  const { availablePoints, escrowedPoints, dtEscrowsOn } = change;
  const hasExpired = lot.expiredPoints > 0 || (lot.dtExpiresOn !== undefined && lot.dtExpiresOn <= now);
  const isSpent = lot.availablePoints + lot.escrowedPoints === 0;
  const wrong: [boolean, string, string, Message][] = [
    [
      hasExpired && (availablePoints ?? 0) > lot.availablePoints,
      'availablePoints',
      'maximum',
      message('accrualItems.expired'),
    ],
    [!lot.hasEscrowed && (availablePoints ?? 0) > 0, 'availablePoints', 'maximum', message('accrualItems.inEscrow')],
    [
      lot.hasEscrowed && (escrowedPoints ?? 0) > 0,
      'escrowedPoints',
      'maximum',
      message('accrualItems.escrowEndedAvailable'),
    ],
    [lot.hasEscrowed && dtEscrowsOn !== undefined, 'dtEscrowsOn', 'readOnly', message('accrualItems.escrowEnded')],
    [
      isSpent && !availablePoints && 'dtExpiresOn' in change,
      'dtExpiresOn',
      'readOnly',
      message('accrualItems.nothingLeft'),
    ],
  ];
  const faults = wrong.flatMap(([isWrong, path, kind, fault]): FieldError[] =>
    isWrong ? [{ path, kind, ...fault }] : [],
  );
  if (faults.length > 0) throw validationError(faults);
}
