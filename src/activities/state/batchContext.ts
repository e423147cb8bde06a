import type { ObjectId } from 'bson';
import type { MetricSums } from '../../aggregates/sums/metricSums';
import type { MemberState } from '../../memberState/memberState';
import type { ActivityHistory } from '../../records/activities/activityHistory';
import type { Submission } from '../../records/activities/submission';
import type { ExtDefinitions } from '../../records/extensions/extDefinitions';
import type { Member } from '../../records/members/member';
import type { IssuedReward } from '../../records/offers/issuedReward';
import type { Evaluator } from '../../rules/evaluate/evaluator';
import type { ResolvedLists } from '../../rules/evaluate/resolvedLists';
import type { RuleSet } from '../../rules/evaluate/ruleSet';
import type { NamedRecords, StoredRecord } from './namedRecords';
import type { Work } from './work';

/** Everything a batch of one org needs, read before anything is decided; the works change only this copy. */
export interface BatchContext {
  org: ObjectId;
  now: Date;
  ruleSet: RuleSet | undefined;
  ruleSetVersion: number | undefined;
  /** By version, those that evaluated the targets of returns of a part. */
  pastRuleSets: ReadonlyMap<number, RuleSet>;
  evaluator: Evaluator;
  /** By hexadecimal id. */
  members: Map<string, MemberState>;
  /** Hexadecimal member id by loyalty id. */
  memberByLoyaltyId: Map<string, string>;
  /** Existing submissions by key. */
  submissions: Map<string, Submission>;
  /** Histories by hexadecimal id: targets of cancellations and results to answer again. */
  histories: Map<string, ActivityHistory>;
  /** Cancellations whose target does not meet their `validate`. */
  unmetConditions: ReadonlySet<Work>;
  /** What limits and budgets have used so far, by hexadecimal counter id. */
  usage: Map<string, number>;
  /** Hexadecimal member id by referral code, of the codes that the batch names. */
  memberByReferralCode: ReadonlyMap<string, string>;
  /** Locations, partners, offers and rewards that the batch names. */
  named: NamedRecords;
  /** Issued rewards whose codes the batch names or whose issue or use it cancels, by hexadecimal id. */
  issued: Map<string, IssuedReward>;
  /** Sums of metrics that rules of this batch may ask for, as committed. */
  sums: MetricSums;
  /** Of `usage`, what stands in counters of merged members and is not written with the survivor's. */
  inheritedUsage: ReadonlyMap<string, number>;
  /** By SKU, of the line items whose activities meet rules that look at products. */
  products: ReadonlyMap<string, StoredRecord>;
  segments: BatchSegments;
  /** Extension fields that are defined; none when no rule sets any. */
  extDefinitions: ExtDefinitions;
  /** Named lists that rules of this batch look at. */
  lists: ResolvedLists;
}

/** The segments that rules of a batch look at or change. */
export interface BatchSegments {
  /** The id of a static segment; undefined of any other. */
  idOf(name: string): ObjectId | undefined;
  /** Names of the segments that a member is in: static ones by what it holds now, others as they were loaded. */
  namesOf(member: Pick<Member, '_id' | 'segments'>): string[];
}
