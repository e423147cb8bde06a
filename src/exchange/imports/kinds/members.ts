import type { ObjectId } from 'bson';
import { type FieldError, invalidField, ServiceError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { mapAtOnce } from '#base/limits/semaphore';
import { byForm, comparable, soughtForms } from '#base/schema/findable';
import { adjustMembers, type LedgerAdjustment } from '#members/memberState/adjustMembers';
import { memberCreateBody, type NewMember } from '#members/members/memberBody';
import { memberWrites } from '#members/members/memberWrites';
import { type MemberPlan, planMembers, storePlannedMembers } from '#members/members/planMembers';
import { createReadRows } from '#platform/recordWrites/readRows';
import { type Member, memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { programResource } from '#records/programs/program';
import { importLimits } from '../importLimits';
import { checkOne } from './checkOne';
import { DividedBatch, type ImportContext, type ImportKind, type ImportRow, type Outcome } from './importKind';
import { ledgerPermission, memberRowFaults } from './memberRowFaults';
import { idsByName, withId } from './namedIds';
import {
  addBalances,
  balanceKey,
  giveLevels,
  type OpeningBalances,
  openingPrefixes,
  readOpeningBalances,
} from './openingBalances';
import { importRowFields } from './rowFields';
import { inSession, writeInOrder } from './writeInOrder';

const readRows = createReadRows<NewMember & { loyaltyID: string }>(memberResource, memberCreateBody);

/** The import of members, by their loyalty id (docs/design/bulk.md). */
export const members: ImportKind = {
  permissions: [memberResource.permissions.create, memberResource.permissions.update],
  key: 'loyaltyID',
  knownBy: 'loyaltyID',
  sometimes: [ledgerPermission],
  permissionOf: (column) => (openingPrefixes.some((each) => column.startsWith(each)) ? ledgerPermission : undefined),
  model: memberResource.name,
  fields: importRowFields(memberResource, {
    body: memberCreateBody,
    required: [['loyaltyID'], ['program']],
    prefixes: openingPrefixes,
  }),
  async plan(context, rows) {
    const read = await readMemberRows(context, rows);
    const known = await existing(context, read);
    const good = read.filter((row): row is MemberRow => !('error' in row));
    const old = good.filter(({ loyaltyID }) => known.has(loyaltyID));
    const changes = await planExisting(context, old, known);
    const fresh = good.filter(({ loyaltyID }) => !known.has(loyaltyID));
    const plans = await planNew(context, fresh);
    // Another import or request may have created a member since its row was looked up: then the row meets that member.
    const taken = fresh.filter((row) => isTaken(plans.get(row)));
    if (taken.length > 0 && (await existing(context, taken)).size > 0) return members.plan(context, rows);
    const outcomes = read.map((row): Outcome => {
      if ('error' in row) return row.error;
      const plan = plans.get(row);
      if (plan instanceof ServiceError) return plan;
      return plan ? 'created' : (changes.outcomes.get(row) ?? 'unchanged');
    });
    const stored = [...plans.values()].filter((plan): plan is MemberPlan => !(plan instanceof ServiceError));
    if (stored.length + changes.adjusting.length + changes.changed.length === 0) return { outcomes };
    const { services, principal, auditor, now } = context;
    return {
      outcomes,
      async write(session) {
        const own = inSession(context, session);
        await writeInOrder(
          changes.changed,
          async ({ member, body }) => void (await memberWrites.update(own, member._id, body)),
        );
        if (stored.length > 0) await storePlannedMembers(services, principal, session, stored, now);
        const adjusting = changes.adjusting.map(({ adjust }) => adjust);
        const refused = await adjustMembers(services, auditor, session, adjusting, now);
        const byRow = new Map(changes.adjusting.map(({ row }, index) => [row, refused[index]]));
        return outcomes.map((outcome, index) => byRow.get(read[index] as MemberRow) ?? outcome);
      },
    };
  },
};

interface MemberRow {
  loyaltyID: string;
  body: Record<string, unknown>;
  beginnings: OpeningBalances;
}

type ReadRow = MemberRow | { error: ServiceError };

async function readMemberRows(context: ImportContext, rows: readonly ImportRow[]): Promise<ReadRow[]> {
  const programs = await idsByName(
    context,
    programResource.path,
    'code',
    rows.map(({ value }) => value.program),
  );
  const seen = new Set<string>();
  return rows.map(({ value }): ReadRow => {
    const { body, beginnings, faults } = readOpeningBalances(withId(value, 'program', programs));
    const loyaltyID = typeof body.loyaltyID === 'string' ? comparable(body.loyaltyID) : undefined;
    const all = [...faults, ...memberRowFaults(context, { value, loyaltyID, programs })];
    if (typeof loyaltyID !== 'string' || all.length > 0) return { error: validationError(all) };
    if (seen.has(loyaltyID)) throw invalidField('loyaltyID', 'unique', message('imports.inTwoRows'));
    seen.add(loyaltyID);
    return { loyaltyID, body, beginnings };
  });
}

async function existing({ services, principal }: ImportContext, rows: readonly ReadRow[]) {
  const ids = rows.flatMap((row) => ('error' in row ? [] : [row.loyaltyID]));
  const { org } = principal;
  const found = await collectionOf(services.db, memberResource)
    .find({ org, loyaltyIDs: { $in: ids.flatMap(soughtForms) } })
    .toArray();
  return byForm(found.flatMap((member) => member.loyaltyIDs.map((id) => [id, member] as const)));
}

async function planNew(context: ImportContext, rows: readonly MemberRow[]) {
  const { services, principal, definitions, now } = context;
  const read = await readRows(
    rows.map(({ body }) => body),
    definitions,
  );
  const good = rows.flatMap((row, index) => {
    const body = read[index];
    return body === undefined || body instanceof ServiceError ? [] : [{ row, body }];
  });
  const planned = await planMembers(
    services,
    principal,
    good.map(({ row: { beginnings }, body }) => ({
      body,
      setUp: (state) => {
        giveLevels(state, beginnings.levels);
        return addBalances(state, beginnings.balances);
      },
    })),
    now,
  );
  const plans = new Map<MemberRow, MemberPlan | ServiceError>();
  for (const [index, { row }] of good.entries()) {
    const plan = planned[index];
    if (plan) plans.set(row, plan);
  }
  for (const [index, row] of rows.entries()) {
    const body = read[index];
    if (body instanceof ServiceError) plans.set(row, body);
  }
  return plans;
}

function isTaken(plan: MemberPlan | ServiceError | undefined): boolean {
  const errors = plan instanceof ServiceError ? (plan.details.errors ?? []) : [];
  return errors.some(({ path, kind }) => path === 'loyaltyID' && kind === 'unique');
}

interface Adjustment {
  row: MemberRow;
  adjust: LedgerAdjustment;
}

/**
 * Rows whose member exists: its fields are changed, and a balance that was not imported so far is added.
 * @throws DividedBatch when it changes more members than one transaction may
 */
async function planExisting(context: ImportContext, rows: readonly MemberRow[], known: ReadonlyMap<string, Member>) {
  const imported = await importedBalances(context, rows, known);
  const adjusting: Adjustment[] = [];
  const changed: { member: Member; body: object }[] = [];
  const outcomes = new Map<MemberRow, Outcome>();
  await mapAtOnce(importLimits.checkedAtOnce, rows, async (row) => {
    const member = known.get(row.loyaltyID);
    if (!member) return;
    const faults = existingFaults(row, member, imported);
    if (faults.length > 0) {
      outcomes.set(row, validationError(faults));
      return;
    }
    // Most rows of a file that is imported again change nothing, and cost no read of their own.
    const outcome = await checkOne(context, memberWrites, member, row.body);
    if (outcome === 'updated') changed.push({ member, body: row.body });
    const missing = [...row.beginnings.balances].filter(
      ([purse, points]) => points > 0 && !imported.has(balanceKey(member._id, purse)),
    );
    const isMore = missing.length > 0 && !(outcome instanceof ServiceError);
    outcomes.set(row, isMore ? 'updated' : outcome);
    if (!isMore) return;
    const change: LedgerAdjustment['change'] = (state) => addBalances(state, new Map(missing));
    adjusting.push({ row, adjust: { member: member._id, change } });
  });
  if (changed.length > importLimits.routeWritesMax) throw new DividedBatch();
  return { outcomes, adjusting, changed };
}

function existingFaults(
  { loyaltyID, beginnings }: MemberRow,
  member: Member,
  imported: ReadonlyMap<string, number>,
): FieldError[] {
  if (comparable(member.loyaltyID) !== loyaltyID) {
    return [
      { path: 'loyaltyID', kind: 'unique', ...message('imports.otherLoyaltyId', { member: member._id.toHexString() }) },
    ];
  }
  const balances = [...beginnings.balances].flatMap(([purse, points]): FieldError[] => {
    const before = imported.get(balanceKey(member._id, purse));
    if (before === undefined || before === points) return [];
    return [{ path: `balance:${purse}`, kind: 'unique', ...message('imports.otherPoints', { before }) }];
  });
  const levels = [...beginnings.levels].flatMap(([policy, { level }]): FieldError[] => {
    const levelName = member.tiers.find(({ name }) => name === policy)?.level.name;
    if (levelName === level) return [];
    const fault =
      levelName === undefined ? message('imports.noLevelNow') : message('imports.otherLevelNow', { level: levelName });
    return [{ path: `tier:${policy}`, kind: 'readOnly', ...fault }];
  });
  return [...balances, ...levels];
}

/** The points of the balances that were imported before, by the key of their item. */
async function importedBalances(
  { services, principal }: ImportContext,
  rows: readonly MemberRow[],
  known: ReadonlyMap<string, Member>,
) {
  const keys = rows.flatMap(({ loyaltyID, beginnings }) => {
    const member = known.get(loyaltyID)?._id;
    return member ? [...beginnings.balances.keys()].map((purse) => balanceKey(member, purse)) : [];
  });
  if (keys.length === 0) return new Map<string, number>();
  const found = await collectionOf(services.db, accrualItemResource)
    .find({ org: principal.org, externalId: { $in: keys } })
    .project<{ externalId: string; accruedPoints: number; _id: ObjectId }>({ externalId: 1, accruedPoints: 1 })
    .toArray();
  return new Map(found.map(({ externalId, accruedPoints }) => [externalId, accruedPoints]));
}
