import type { ObjectId } from 'bson';
import type { ClientSession } from 'mongoose';
import { type FieldError, ServiceError, validationError } from '#base/common/errors';
import { mapYielding } from '#base/common/yielding';
import { collectionOf } from '#base/db/collections';
import type { Author } from '#base/db/records';
import { comparable, soughtForms } from '#base/schema/findable';
import type { ChangedItem } from '#members/memberState/adjustMember';
import { type StampedChange, storeLedger } from '#members/memberState/commitLedger';
import { changeMember, ledgerChange, type MemberState, openMembers } from '#members/memberState/memberState';
import { withItemFields } from '#members/memberState/withItemFields';
import { type WantedOccasions, wantedInForce } from '#members/occasions/wantedOccasions';
import { type FirstTiers, grantFirstTiers } from '#members/tiers/firstTiers';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { OrgVersions } from '#platform/orgs/orgVersions';
import { loadProgramCatalog, type ProgramCatalog } from '#programs/programs/programCatalog';
import { birthDateFaults } from '#records/members/birthDate';
import { type Member, memberResource } from '#records/members/member';
import { takenLoyaltyId } from './createMember';
import type { NewMember } from './memberBody';
import { newMember } from './newMember';
import { memberReferenceFaults } from './requireReferences';
import { type MemberToStore, storeMembers } from './storeMembers';

/** A member to create with many others. */
export interface MemberRow {
  body: NewMember;
  /** Default: a new one. */
  id?: ObjectId;
  /** Gives the new member its first points and levels. Throws a ServiceError when that is not possible. */
  setUp?: (state: MemberState) => ChangedItem[];
}

/** A checked member that can be stored, with its first points and levels. */
export interface MemberPlan extends MemberToStore {
  /** The changes of its ledger. `member` already has the fields that they set. */
  ledger: readonly StampedChange[];
  /** True when its program has had no members so far. */
  isFirst: boolean;
}

type PlanServices = Pick<Infrastructure, 'db' | 'ruleSets'>;
type PlanAuthor = Author & { versions?: OrgVersions };

/**
 * Checks many new members as `createMember` checks one, with a few queries for all of them, and makes their records.
 * Nothing is written.
 * @returns for each row its plan, or the error that refuses it
 */
export async function planMembers(
  { db, ruleSets }: PlanServices,
  author: PlanAuthor,
  rows: readonly MemberRow[],
  now: Date,
): Promise<(MemberPlan | ServiceError)[]> {
  const bodies = rows.map(({ body }) => body);
  const [faults, taken, catalog, wanted] = await Promise.all([
    memberReferenceFaults(db, author.org, bodies),
    takenLoyaltyIds(db, author, bodies),
    loadProgramCatalog(db, author.org),
    wantedInForce({ db, ruleSets }, author, now),
  ]);
  const context = { author, catalog, wanted, now, tiers: new Map<string, FirstTiers>() };
  return mapYielding(rows, (row, index) => {
    const own: FieldError[] = [...birthDateFaults(row.body, now), ...(faults[index] ?? [])];
    if (own.length > 0) return validationError(own);
    const { loyaltyID } = row.body;
    if (loyaltyID !== undefined && taken.has(loyaltyID)) return takenLoyaltyId();
    const plan = planOne(row, context);
    // Of two rows with one id, only the first is created.
    if (loyaltyID !== undefined && !(plan instanceof Error)) taken.add(loyaltyID);
    return plan;
  });
}

interface PlanContext {
  author: PlanAuthor;
  catalog: ProgramCatalog;
  wanted: WantedOccasions;
  now: Date;
  /** The first tiers of a member by the hexadecimal id of its program. */
  tiers: Map<string, FirstTiers>;
}

function planOne({ body, id, setUp }: MemberRow, context: PlanContext): MemberPlan | ServiceError {
  const { author, catalog, wanted, now } = context;
  const tiers = programFirstTiers(body.program, context);
  const member = { ...newMember(author, body, catalog.policiesOf(body.program), now, id), ...tiers.fields };
  const isWanted = wanted(body.program)?.has('MemberEnrolled') ?? false;
  const isFirst = catalog.programOf(body.program)?.hasMembers !== true;
  const plan = { member, changes: tiers.changes, isWanted, isFirst, ledger: [] };
  if (!setUp) return plan;
  const hex = member._id.toHexString();
  const [state] = openMembers([member], catalog, { lots: new Map([[hex, []]]), sums: new Map() }, now, wanted).values();
  if (!state) return plan;
  try {
    const items = setUp(state);
    if (items.length === 0 && state.tiers.changes.length === 0) return plan;
    changeMember(state, author, [], now);
    const ledger = withItemFields(ledgerChange(state), items);
    return { ...plan, member: ledger.reduce(withChange, member), ledger };
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** Adds to a new member the fields that a change of its ledger sets, so that it is stored in one write. */
function withChange(member: Member, { set, due: { nextDue, aggregatesEndAt } }: StampedChange): Member {
  return { ...member, ...set, ...(nextDue && { nextDue }), ...(aggregatesEndAt && { aggregatesEndAt }) };
}

function programFirstTiers(program: ObjectId, { catalog, now, tiers }: PlanContext): FirstTiers {
  const hex = program.toHexString();
  const timezone = catalog.programOf(program)?.timezone ?? 'UTC';
  const made = tiers.get(hex) ?? grantFirstTiers(catalog.tierPoliciesOf(program), timezone, now);
  tiers.set(hex, made);
  const isEmpty = catalog.tierPoliciesOf(program).length === 0;
  return isEmpty ? { fields: { tiers: [] }, changes: [] } : made;
}

async function takenLoyaltyIds(
  db: Infrastructure['db'],
  { org }: Author,
  bodies: readonly NewMember[],
): Promise<Set<string>> {
  const requested = bodies.flatMap(({ loyaltyID }) => loyaltyID ?? []);
  if (requested.length === 0) return new Set();
  const found = await collectionOf(db, memberResource)
    .find({ org, loyaltyIDs: { $in: requested.flatMap(soughtForms) } }, { projection: { loyaltyIDs: 1 } })
    .toArray();
  return new Set(found.flatMap(({ loyaltyIDs }) => loyaltyIDs.map(comparable)));
}

/**
 * Stores planned members inside a transaction, with their first points and levels.
 * @throws as `storeMembers`
 */
export async function storePlannedMembers(
  { db }: Pick<Infrastructure, 'db'>,
  author: Author,
  session: ClientSession,
  plans: readonly MemberPlan[],
  now: Date,
): Promise<void> {
  const first = plans.filter(({ isFirst }) => isFirst).map(({ member }) => member.program);
  await storeMembers(db, session, author, plans, first);
  const ledger = plans.flatMap((plan) => plan.ledger);
  if (ledger.length > 0) await storeLedger(db, session, ledger, now);
}
