import type { ObjectId } from 'bson';
import type { Author } from '../../db/records';
import { changeMember } from '../../memberState/changeMember';
import type { MemberState } from '../../memberState/memberState';
import { settleState } from '../../memberState/settleState';
import type { Ledger } from '../../points/ledger/ledger';
import type { MetricEntry } from '../../records/aggregates/metricEvents';

/** Another member as one activity works on it; dropping it drops every effect. */
export interface OtherMember {
  state: MemberState;
  ledger: Ledger;
  metrics: MetricEntry[];
  referral: MemberState['referral'];
}

/** The other members that one activity changes, each opened once. */
export class OtherMembers {
  private readonly byId = new Map<string, OtherMember>();

  constructor(
    private readonly author: Author,
    private readonly now: Date,
  ) {}

  /** A member to work on, settled. */
  open(state: MemberState): OtherMember {
    const id = state.doc._id.toHexString();
    const known = this.byId.get(id);
    if (known) return known;
    settleState(state, this.author, this.now);
    const opened = { state, ledger: state.ledger.fork(), metrics: [], referral: state.referral };
    this.byId.set(id, opened);
    return opened;
  }

  /** Those that were opened, by id. */
  find(id: ObjectId): OtherMember | undefined {
    return this.byId.get(id.toHexString());
  }

  /** All that were opened. */
  opened(): Iterable<OtherMember> {
    return this.byId.values();
  }

  /** Keeps what was done to them; they are written with the batch, guarded by their versions. */
  keep(moveTiers: (state: MemberState) => void): void {
    for (const { state, ledger, metrics, referral } of this.byId.values()) {
      state.ledger = ledger;
      state.referral = referral;
      changeMember(state, this.author, metrics, this.now);
      moveTiers(state);
    }
  }
}
