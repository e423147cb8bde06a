import type { TObject } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { invalidField, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { identifier } from '#base/schema/atoms';
import type { DocOf } from '#base/schema/resource';
import { type ItemToAdd, itemCreateBody } from '#members/accrualItems/itemBodies';
import { itemFaults } from '#members/accrualItems/itemFaults';
import { addTo } from '#members/accrualItems/writeItems';
import { adjustMembers, type LedgerAdjustment } from '#members/memberState/adjustMembers';
import { finalSurvivor } from '#members/memberState/readMember';
import { createReadRows } from '#platform/recordWrites/readRows';
import { memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import type { ImportContext, ImportKind, ImportRow, Outcome } from './importKind';
import { idsByName, isName, withId } from './namedIds';
import { importRowFields } from './rowFields';

type Item = DocOf<typeof accrualItemResource>;

const readRows = createReadRows<ItemToAdd>(accrualItemResource, itemCreateBody);

/** The import of accrual items, by their `externalId` (docs/design/bulk.md). */
export const accrualItems: ImportKind = {
  permissions: [accrualItemResource.permissions.create],
  key: 'externalId',
  knownBy: 'externalId',
  sometimes: [],
  model: accrualItemResource.name,
  fields: importRowFields(accrualItemResource, {
    body: itemCreateBody as TObject,
    required: [['externalId'], ['member', 'loyaltyID'], ['purse'], ['accruedPoints']],
    points: ['accruedPoints'],
    more: { loyaltyID: identifier(100) },
  }),
  async plan(context, rows) {
    const { services, principal, auditor, definitions, now } = context;
    const read = (await readRows(await resolved(context, rows), definitions)).map(withKey);
    requireOnce(read);
    const known = await existing(context, read);
    const faults = await itemFaults(
      services.db,
      principal.org,
      read.flatMap((row) => (row instanceof ServiceError || known.has(row.externalId) ? [] : [row])),
    );
    const fresh: { index: number; adjust: LedgerAdjustment }[] = [];
    let next = 0;
    const outcomes: Outcome[] = [];
    for (const [index, row] of read.entries()) {
      if (row instanceof ServiceError) outcomes.push(row);
      else if (known.has(row.externalId)) outcomes.push(await outcomeOfKnown(context, row, known.get(row.externalId)));
      else {
        const fault = faults[next++];
        outcomes.push(fault ?? 'created');
        const change: LedgerAdjustment['change'] = (state) => [addTo(state, row, new ObjectId())];
        if (!fault) fresh.push({ index, adjust: { member: row.member, change } });
      }
    }
    if (fresh.length === 0) return { outcomes };
    return {
      outcomes,
      async write(session) {
        const adjusting = fresh.map(({ adjust }) => adjust);
        const refused = await adjustMembers(services, auditor, session, adjusting, now);
        const byIndex = new Map(fresh.map(({ index }, at) => [index, refused[at]]));
        return outcomes.map((outcome, index) => byIndex.get(index) ?? outcome);
      },
    };
  },
};

type KeyedItem = ItemToAdd & { externalId: string };
type ReadItem = KeyedItem | ServiceError;

function withKey(row: ItemToAdd | ServiceError): ReadItem {
  if (row instanceof ServiceError) return row;
  const { externalId } = row;
  if (externalId !== undefined) return { ...row, externalId };
  return invalidField('externalId', 'required', message('imports.itemIdRequired'));
}

/** The rows with ids in place of the loyalty ids of members and the names of purses. */
async function resolved(context: ImportContext, rows: readonly ImportRow[]): Promise<unknown[]> {
  const members = await idsByName(
    context,
    memberResource.path,
    'loyaltyIDs',
    rows.flatMap(({ value }) => [namedMember(value)]),
  );
  const withMembers = rows.map(({ value: { loyaltyID, ...value } }) =>
    loyaltyID === undefined || value.member !== undefined
      ? value
      : withId({ ...value, member: loyaltyID }, 'member', members),
  );
  const purses = await findPurses(context, withMembers);
  return withMembers.map((value) => {
    const purse = isName(value.purse) ? purses.get(`${String(value.member)} ${value.purse}`) : undefined;
    return purse ? { ...value, purse: purse.toHexString() } : value;
  });
}

function namedMember({ loyaltyID, member }: ImportRow['value']): unknown {
  return member === undefined ? loyaltyID : undefined;
}

/** The purse policies of the members' programs, by member and name. */
async function findPurses({ services, principal }: ImportContext, values: readonly ImportRow['value'][]) {
  const named = values.filter(({ purse }) => isName(purse));
  if (named.length === 0) return new Map<string, ObjectId>();
  const { org } = principal;
  const ids = named.flatMap(({ member }) =>
    typeof member === 'string' && !isName(member) ? [new ObjectId(member)] : [],
  );
  const [members, policies] = await Promise.all([
    collectionOf(services.db, memberResource)
      .find({ org, _id: { $in: ids } }, { projection: { program: 1 } })
      .toArray(),
    collectionOf(services.db, pursePolicyResource).find({ org }).toArray(),
  ]);
  return new Map(
    members.flatMap(({ _id, program }) =>
      policies
        .filter((policy) => policy.program.equals(program))
        .map((policy) => [`${_id.toHexString()} ${policy.name}`, policy._id] as const),
    ),
  );
}

/** Rows of a batch with one key are imported one after the other, so the batch is divided. */
function requireOnce(rows: readonly ReadItem[]): void {
  const keys = rows.flatMap((row) => (row instanceof ServiceError ? [] : [row.externalId]));
  if (new Set(keys).size < keys.length) throw invalidField('externalId', 'unique', message('imports.inTwoRows'));
}

async function existing({ services, principal }: ImportContext, rows: readonly ReadItem[]): Promise<Map<string, Item>> {
  const keys = rows.flatMap((row) => (row instanceof ServiceError ? [] : [row.externalId]));
  const found = await collectionOf(services.db, accrualItemResource)
    .find({ org: principal.org, externalId: { $in: keys } })
    .toArray();
  return new Map(found.flatMap((item) => (item.externalId === undefined ? [] : [[item.externalId, item] as const])));
}

/** A row of an item that was added before changes nothing; when it says something else, it is refused. */
async function outcomeOfKnown(
  { services, principal }: ImportContext,
  row: KeyedItem,
  item: Item | undefined,
): Promise<Outcome> {
  if (!item) return 'unchanged';
  const isSameDate = (sent: Date | undefined, stored: Date | undefined) =>
    !sent || sent.getTime() === stored?.getTime();
  const differing = [
    item.purse.equals(row.purse) ? [] : ['purse'],
    item.accruedPoints === row.accruedPoints ? [] : ['accruedPoints'],
    isSameDate(row.dtEarned, item.dtEarned) ? [] : ['dtEarned'],
    isSameDate(row.dtEscrowsOn, item.dtEscrowsOn) ? [] : ['dtEscrowsOn'],
    isSameDate(row.dtExpiresOn, item.dtExpiresOn) ? [] : ['dtExpiresOn'],
  ].flat();
  const [path] = differing;
  if (path) return invalidField(path, 'unique', message('imports.itemDiffers'));
  if (item.member.equals(row.member)) return 'unchanged';
  const member = await collectionOf(services.db, memberResource).findOne({ org: principal.org, _id: row.member });
  if (!member) return invalidField('member', 'reference', message('refs.noMember'));
  const survivor = await finalSurvivor(services.db, principal.org, row.member);
  if (item.member.equals(survivor)) return 'unchanged';
  return invalidField('member', 'unique', message('imports.itemDiffers'));
}
