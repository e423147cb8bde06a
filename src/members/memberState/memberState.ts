import type { ObjectId } from 'bson';
import { localDay } from '#base/calendar/localCalendar';
import { periodKey } from '#base/calendar/periods';
import type { Author } from '#base/db/records';
import { type Ledger, type LedgerChanges, openLedger } from '#engine/points/ledger/ledger';
import { addToLifetime, firstEnd, withinExactSums } from '#engine/sums/lifetime';
import {
  type MemberTiers,
  nextTierDue,
  openTiers,
  shownTiers,
  storedLadder,
  withCounts,
} from '#engine/tiers/memberTiers';
import { ledgerOccasions } from '#members/occasions/ledgerOccasions';
import type { WantedOccasions } from '#members/occasions/wantedOccasions';
import type { ProgramCatalog } from '#programs/programs/programCatalog';
import type { OccasionType } from '#records/activities/occasion';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import { addToRunningTotals, type RunningTotal, runningTotalsMax } from '#records/aggregates/runningTotals';
import type { Turnover } from '#records/aggregates/turnover';
import type { Member } from '#records/members/member';
import type { Lot } from '#records/points/lot';
import type { Program } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';
import type { TierPolicy } from '#records/programs/tierPolicy';
import type { MemberLedgerFields, StampedChange } from './commitLedger';

/** The working state of a member in one commit: the record as read, and all changes so far. */
export interface MemberState {
  doc: Member;
  program: Program;
  policies: readonly PursePolicy[];
  tierPolicies: readonly TierPolicy[];
  tiers: MemberTiers;
  /** Running totals on which its tiers depend. They are complete when the tiers may be computed. */
  keptSums: readonly RunningTotal[];
  ledger: Ledger;
  aggregates: Member['aggregates'];
  turnovers: readonly Turnover[];
  processedAccruals: number;
  /** Changed referral fields. */
  referral: Partial<Pick<Member, 'referrals' | 'referredBy'>>;
  metrics: MetricEntry[];
  /** Changed fields outside the ledger. */
  own?: Partial<Pick<Member, 'segments' | 'segmentDates' | 'ext'>>;
  /** The occasions that rules of the program are for; absent when there are none. */
  wanted?: ReadonlySet<OccasionType> | undefined;
  /** The author of the last change; absent while the member is unchanged. */
  author?: Author;
}

/**
 * Opens the working state of members, by hexadecimal id.
 * @param lots accrual items of the members whose existing items may change; other members have no entry
 * @param sums running totals for tiers, for the members whose tiers may change
 * @param wanted the occasions that rules in force use
 */
export function openMembers(
  members: readonly Member[],
  catalog: ProgramCatalog,
  { lots, sums }: { lots: ReadonlyMap<string, Lot[]>; sums: ReadonlyMap<string, readonly RunningTotal[]> },
  now: Date,
  wanted?: WantedOccasions,
): Map<string, MemberState> {
  return new Map(
    members.flatMap((doc) => {
      const id = doc._id.toHexString();
      const state = openMember(doc, catalog, { lots: lots.get(id), sums: sums.get(id) }, now);
      if (state) state.wanted = wanted?.(state.program._id);
      return state ? [[id, state] as const] : [];
    }),
  );
}

function openMember(
  doc: Member,
  catalog: ProgramCatalog,
  { lots, sums = doc.keptSums ?? [] }: { lots: Lot[] | undefined; sums: readonly RunningTotal[] | undefined },
  now: Date,
): MemberState | undefined {
  const program = catalog.programOf(doc.program);
  if (!program) return undefined;
  const policies = catalog.policiesOf(program._id);
  const ledger = openLedger({
    member: { _id: doc._id, program: doc.program },
    purses: doc.purses,
    seq: doc.seq,
    policies,
    timezone: program.timezone,
    now,
    ...(lots ? { lots } : {}),
  });
  const { aggregates, turnovers = [], processedAccruals } = doc;
  const tiered = { tierPolicies: catalog.tierPoliciesOf(program._id), tiers: openTiers(doc), keptSums: sums };
  return {
    doc,
    program,
    policies,
    ...tiered,
    ledger,
    aggregates,
    turnovers,
    processedAccruals,
    referral: {},
    metrics: [],
  };
}

/** The change to write for a member; empty when the member is unchanged. */
export function ledgerChange(state: MemberState): StampedChange[] {
  const { author, ledger } = state;
  return author ? [stampChange(state, author, ledger.changes())] : [];
}

/** The change to write for a member with these changes of its ledger. */
export function stampChange(state: MemberState, author: Author, changes: LedgerChanges): StampedChange {
  const { doc, aggregates, processedAccruals, referral, metrics, tiers, tierPolicies, own } = state;
  const { purses, seq, nextDue: lotDue, ...written } = changes;
  const turnovers = state.turnovers.length > 0 ? { turnovers: [...state.turnovers] } : {};
  const set = {
    purses: [...purses],
    aggregates,
    ...turnovers,
    seq,
    processedAccruals,
    ...tierFields(state),
    ...own,
    ...referral,
  };
  const nextDue = earlier(lotDue, nextTierDue(tiers, tierPolicies));
  const tierChanges = tiers.changes;
  const due = { nextDue, aggregatesEndAt: firstEnd(aggregates) };
  const occasions = state.wanted && occasionsToPost({ ...state, wanted: state.wanted }, author, changes);
  const { _id: memberId, program, version } = doc;
  const change = { author, memberId, program, version, set, due, ...written, metrics, tierChanges };
  return occasions && occasions.length > 0 ? { ...change, occasions } : change;
}

function occasionsToPost(
  { doc, tiers, wanted, ledger, program: { timezone } }: MemberState & { wanted: ReadonlySet<OccasionType> },
  author: Author,
  { entries }: LedgerChanges,
) {
  const purseName = (id: ObjectId) => ledger.policy(id).name;
  return ledgerOccasions({ author, member: doc, tiers, wanted, entries, timezone, purseName, now: ledger.now });
}

/** The tier fields to write; empty when neither the program nor the member has tiers. */
function tierFields(state: MemberState): Pick<MemberLedgerFields, 'tiers' | 'ladders' | 'keptSums'> {
  const { doc, tiers, tierPolicies } = state;
  if (tierPolicies.length === 0 && doc.tiers.length === 0) return {};
  const ladders = tiers.ladders.map(storedLadder);
  return { tiers: shownTiers(tiers, tierPolicies, doc.tiers), ladders, keptSums: presentSums(state) };
}

/**
 * The running totals to store: those of current periods that a tier policy uses. Any other is read again when it is
 * needed.
 */
function presentSums({ keptSums, tierPolicies, program, ledger }: MemberState): RunningTotal[] {
  const today = localDay(ledger.now, program.timezone);
  const isNeeded = ({ metric, period, key }: RunningTotal) =>
    key === periodKey(period, today) &&
    tierPolicies.some(({ basis }) => basis?.metric === metric && basis.period === period);
  return keptSums.filter(isNeeded).slice(0, runningTotalsMax);
}

function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  if (!a || !b) return a ?? b;
  return a <= b ? a : b;
}

/**
 * Marks a member as changed by this author, and adds to its metrics. The commit then writes the whole state. The caller
 * has checked by `withinExactSums` that the sums stay exact.
 */
export function changeMember(state: MemberState, author: Author, metrics: readonly MetricEntry[], now: Date): void {
  state.author = author;
  if (metrics.length === 0) return;
  const { entries, turnovers } = withinExactSums(state, metrics);
  state.turnovers = turnovers;
  state.metrics.push(...entries);
  if (state.keptSums.length > 0) state.keptSums = addToRunningTotals(state.keptSums, entries);
  state.tiers = withCounts(state.tiers, entries);
  state.aggregates = addToLifetime(state.aggregates, entries, now, state.doc._id);
}
