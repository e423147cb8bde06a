import { message } from '#base/common/messages/message';
import type {
  ActingRule,
  ActionTarget,
  Award,
  ExtChange,
  LevelChange,
  MetricChange,
  Redemption,
  ReferralAward,
  Refusal,
  Transfer,
} from '../actions/actionTarget';
import { applyEffect, type Effect } from '../actions/list';
import { pooledPoints } from '../actions/pool';
import type { EffectTarget } from '../decide/decideInput';
import type { ProgramReferences } from '../format/ruleReferences';
import type { MetricSum } from '../language/factParams';
import type { TestTiers } from './testTiers';

/** A purse in rule tests. It has balances and no lots. */
interface TestPurse {
  name: string;
  primary: boolean;
  balance: number;
  availBalance: number;
  escrowsIn: number;
  overdraftLimit: number;
  debt: number;
}

/** The member's metrics before the activity, and the metrics that the activity itself counts. */
export interface TestMetrics {
  before(sum: MetricSum): number;
  /** Whether the period of a sum contains the activity's date. */
  contains(sum: MetricSum): boolean;
  own: readonly { metric: string; value: number }[];
  /** The date of the latest Accrual before. */
  lastVisit: Date | undefined;
  /** The activity or the member names a referrer. */
  isReferred: boolean;
}

/** A change of a metric. */
type Counted = Pick<MetricChange, 'metric' | 'value' | 'expires'>;

/** The effect target of rule tests: a member as the test describes it, with balances and without a ledger. */
export class TestTarget implements EffectTarget, ActionTarget {
  hasProducts = false;
  activityExt: Record<string, unknown> | undefined;
  /** Fields of `result.data` that rules set. */
  data: Readonly<Record<string, unknown>> = {};
  private readonly purses: Map<string, TestPurse>;
  private readonly changes = new Map<string, number>();
  /** Changes of the member by rules. */
  private readonly own: { segments?: string[]; segmentSince?: Record<string, unknown>; ext?: Record<string, unknown> } =
    {};
  private readonly metrics: Counted[] = [];

  constructor(
    private readonly program: ProgramReferences,
    private readonly member: Readonly<Record<string, unknown>>,
    private readonly now: Date,
    private readonly counted: TestMetrics,
    readonly tiers: TestTiers,
    /** Extension fields of the activity. */
    private readonly ext: Record<string, unknown> = {},
  ) {
    const balances = numbersByName(member.purse);
    this.purses = new Map(program.purses.map((name) => [name, readTestPurse(name, balances[name])]));
  }

  apply(effect: Effect, rule: ActingRule): Refusal {
    return applyEffect(this, effect, rule);
  }

  /** With a pool, the head of the family gets its share when the test's member has one. */
  awardPoints({ purse, points, escrow, pool }: Award): undefined {
    const pooled = this.member.familyHead === undefined ? 0 : pooledPoints(points, pool);
    if (points > pooled) this.add(purse, points - pooled, escrow?.type === 'duration');
  }

  redeemPoints({ purse: name, points }: Redemption): Refusal {
    const purse = this.purse(name);
    if (points > purse.availBalance + purse.overdraftLimit) return notEnough(name);
    purse.balance -= points;
    purse.availBalance -= points;
    this.changes.set(name, this.change(name) - points);
    this.count('pointsRedeemed', name, points);
    return undefined;
  }

  /** Refuses to transfer more than the available points: the overdraft limit does not count for a transfer. */
  transferPoints({ purse: name, points, toPurse }: Transfer): Refusal {
    if (points > this.purse(name).availBalance) return notEnough(name);
    this.move(name, -points, false);
    if (toPurse !== undefined) this.move(toPurse, points, false);
    return undefined;
  }

  completeReferral({ purse, points }: ReferralAward): undefined {
    if (points > 0 && this.counted.isReferred) this.add(purse, points, false);
  }

  addMetric(change: MetricChange): undefined {
    this.metrics.push(change);
  }

  setTier(change: LevelChange): undefined {
    this.tiers.set(change, (metric) => this.metricBefore({ metric, period: 'day' }));
  }

  changeSegment({ segment, isIn }: { segment: string; isIn: boolean }): undefined {
    const segments: unknown = this.own.segments ?? this.member.segments ?? [];
    const others = Array.isArray(segments) ? segments.filter((each) => each !== segment) : [];
    const { [segment]: before, ...since } = { ...numbersByName(this.member.segmentSince), ...this.own.segmentSince };
    this.own.segments = isIn ? [...others, segment] : others;
    this.own.segmentSince = isIn ? { ...since, [segment]: before ?? this.now } : since;
  }

  setExt({ on, values }: ExtChange): undefined {
    if (on === 'member') this.own.ext = { ...numbersByName(this.member.ext), ...this.own.ext, ...values };
    else this.activityExt = { ...this.ext, ...this.activityExt, ...values };
  }

  setData({ values }: { values: Readonly<Record<string, unknown>> }): undefined {
    this.data = { ...this.data, ...values };
  }

  lookupProducts(): undefined {
    this.hasProducts = true;
  }

  /** A test cannot expect rewards, offers or log lines, so these actions change nothing. */
  issueReward(): undefined {}
  issueChoice(): undefined {}
  applyOffer(): undefined {}
  log(): undefined {}

  memberFacts(): Readonly<Record<string, unknown>> {
    return {
      status: 'Active',
      type: 'Individual',
      loyaltyID: 'test',
      loyaltyIDs: ['test'],
      program: this.program._id.toHexString(),
      enrolledAt: this.now,
      segments: [],
      segmentSince: {},
      bucket: 0,
      processedAccruals: 0,
      ...this.member,
      ...this.tiers.facts(),
      ...this.own,
      purse: Object.fromEntries([...this.purses].map(([name, purse]) => [name, { ...purse }])),
    };
  }

  metric(sum: MetricSum): number {
    const added = this.counted.contains(sum) ? this.counts().filter(({ metric }) => metric === sum.metric) : [];
    return added.reduce((total, { value }) => total + value, this.metricBefore(sum));
  }

  metricBefore(sum: MetricSum): number {
    return this.counted.before(sum);
  }

  lastVisit(): Date | undefined {
    return this.counted.lastVisit;
  }

  /** The changes of metrics by the activity so far. */
  counts(): readonly Counted[] {
    return [...this.counted.own, ...this.metrics];
  }

  /** Points added to a purse, less points redeemed or transferred away. */
  change(purse: string): number {
    return this.changes.get(purse) ?? 0;
  }

  private add(name: string, points: number, isEscrowed: boolean): void {
    this.move(name, points, isEscrowed);
    this.count('pointsEarned', name, points);
  }

  private move(name: string, points: number, isEscrowed: boolean): void {
    const purse = this.purse(name);
    purse.balance += points;
    if (isEscrowed) purse.escrowsIn += points;
    else purse.availBalance += points;
    this.changes.set(name, this.change(name) + points);
  }

  private count(metric: string, purse: string, value: number): void {
    this.metrics.push({ metric, value }, { metric: `${metric}:${purse}`, value });
  }

  private purse(name: string): TestPurse {
    const known = this.purses.get(name);
    if (known) return known;
    const made = readTestPurse(name, 0);
    this.purses.set(name, made);
    return made;
  }
}

function notEnough(purse: string): Refusal {
  return { code: 2100, ...message('points.notEnoughIn', { purse }), status: 422 };
}

function readTestPurse(name: string, value: unknown): TestPurse {
  const plain = typeof value === 'number' ? { balance: value, availBalance: value } : numbersByName(value);
  const balance = plain.balance ?? plain.availBalance ?? 0;
  const empty = { name, primary: false, escrowsIn: 0, overdraftLimit: 0, debt: 0, availBalance: balance };
  return { ...empty, balance, ...plain };
}

function numbersByName(value: unknown): Record<string, number> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
