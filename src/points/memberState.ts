import type { MetricEntry } from '../aggregates/metricEvents';
import type { Author } from '../db/records';
import type { Member } from '../members/member';
import type { Program } from '../programs/program';
import type { ProgramCatalog } from '../programs/programCatalog';
import type { PursePolicy } from '../programs/pursePolicy';
import type { StampedChange } from './commitLedger';
import { type Ledger, type LedgerChanges, openLedger } from './ledger';
import type { Lot } from './lot';

/** A member as a commit works on it: what was read, and what has been made of it so far. */
export interface MemberState {
  doc: Member;
  program: Program;
  policies: readonly PursePolicy[];
  ledger: Ledger;
  aggregates: Member['aggregates'];
  processedAccruals: number;
  metrics: MetricEntry[];
  /** Who changed it last; absent while nothing of it changed. */
  author?: Author;
}

/**
 * Opens the working state of members, by hexadecimal id.
 * @param lots accrual items of the members whose existing ones may be touched; other members have no entry
 */
export function openMembers(
  members: readonly Member[],
  catalog: ProgramCatalog,
  lots: ReadonlyMap<string, Lot[]>,
  now: Date,
): Map<string, MemberState> {
  return new Map(
    members.flatMap((doc) => {
      const id = doc._id.toHexString();
      const state = openMember(doc, catalog, lots.get(id), now);
      return state ? [[id, state] as const] : [];
    }),
  );
}

function openMember(doc: Member, catalog: ProgramCatalog, lots: Lot[] | undefined, now: Date): MemberState | undefined {
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
  const { aggregates, processedAccruals } = doc;
  return { doc, program, policies, ledger, aggregates, processedAccruals, metrics: [] };
}

/** What is written of a member: nothing when nobody changed it. */
export function ledgerChange(state: MemberState): StampedChange[] {
  const { author, ledger } = state;
  return author ? [changeOf({ ...state, author }, ledger.changes())] : [];
}

/** What is written of a member with these changes of its ledger. */
export function changeOf(state: MemberState & { author: Author }, changes: LedgerChanges): StampedChange {
  const { doc, aggregates, processedAccruals, metrics, author } = state;
  const { inserted, updated, entries, purses, seq, nextDue } = changes;
  const set = { purses: [...purses], aggregates, seq, processedAccruals };
  return { author, memberId: doc._id, version: doc.version, set, nextDue, inserted, updated, entries, metrics };
}
