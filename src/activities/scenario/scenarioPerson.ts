import type { Plan } from '#activities/commit/plan';
import type { Author } from '#base/db/records';
import type { ProgramRecords } from '#engine/rules/format/ruleReferences';
import { type MemberState, openMembers, stampChange } from '#members/memberState/memberState';
import { settleState } from '#members/memberState/settleState';
import type { WantedOccasions } from '#members/occasions/wantedOccasions';
import type { ProgramCatalog } from '#programs/programs/programCatalog';
import type { Member } from '#records/members/member';
import type { Lot } from '#records/points/lot';
import type { ScenarioSums } from './scenarioSums';

type Change = Plan['changes'][number];

/** A member of a scenario with its lots and sums, kept in memory in place of the database. */
export class ScenarioPerson {
  private readonly lots: Map<string, Lot>;

  constructor(
    public member: Member,
    lots: readonly Lot[],
    readonly sums: ScenarioSums,
    private readonly records: ProgramRecords,
  ) {
    this.lots = new Map(lots.map((lot) => [lot._id.toHexString(), lot]));
  }

  get id(): string {
    return this.member._id.toHexString();
  }

  /** The state to decide with. `dates` are those of the activities on whose periods levels may depend. */
  open(now: Date, dates: readonly Date[], wanted: WantedOccasions): MemberState {
    const { member, records, id } = this;
    const lots = new Map([[id, [...this.lots.values()]]]);
    const sums = new Map([[id, this.sums.ofTiers(records.tierPolicies, member, { now, dates })]]);
    const state = openMembers([member], scenarioCatalog(records), { lots, sums }, now, wanted).get(id);
    if (!state) throw new Error('a scenario has the program of its members');
    return state;
  }

  /** Does what is due at `now`. Returns the change, when there is one. */
  settle(author: Author, now: Date, dates: readonly Date[], wanted: WantedOccasions): Change | undefined {
    const state = this.open(now, dates, wanted);
    settleState(state, author, now);
    return state.author && stampChange(state, state.author, state.ledger.changes());
  }

  /** Keeps a change of this member. */
  apply({ set, due, inserted, updated, metrics }: Change): void {
    this.sums.add(metrics);
    const { nextDue: _due, aggregatesEndAt: _end, ...before } = this.member;
    const { nextDue, aggregatesEndAt } = due;
    this.member = {
      ...before,
      ...set,
      version: before.version + 1,
      ...(nextDue && { nextDue }),
      ...(aggregatesEndAt && { aggregatesEndAt }),
    };
    for (const lot of [...inserted, ...updated]) this.lots.set(lot._id.toHexString(), lot);
  }
}

function scenarioCatalog({ program, policies, tierPolicies }: ProgramRecords): ProgramCatalog {
  return {
    programOf: (id) => (id.equals(program._id) ? program : undefined),
    policiesOf: () => policies,
    tierPoliciesOf: () => tierPolicies,
    segments: async () => [],
    namedLists: async () => [],
  };
}
