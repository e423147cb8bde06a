import { ObjectId } from 'bson';
import { localDay } from '#base/calendar/localCalendar';
import { textOfDay } from '#base/calendar/windows';
import { asRecord } from '#base/common/plainObject';
import { bestClaim, type Claim } from '#engine/tiers/claims';
import { countForChallenges, grantLevel, keepLevels } from '#engine/tiers/grants';
import { emptyLadder, setLevel } from '#engine/tiers/ladder';
import { lapse } from '#engine/tiers/lapse';
import type { LadderInput } from '#engine/tiers/levels';
import { timeEnd } from '#engine/tiers/tierTerms';
import type { Ladder } from '#records/members/memberTier';
import type { LevelChange } from '../actions/actionTarget';
import { missing } from '../format/memberFact';
import type { ProgramReferences } from '../format/ruleReferences';
import { instantMs } from '../language/instantMs';
import { changeOn } from './testWindows';

/** The ladders of a test's member that rules have moved, by tier policy. */
export type TestLadders = ReadonlyMap<string, Ladder>;

/** The facts about levels, by tier policy. */
const tierFacts = ['tier', 'tierNumber', 'tierSince', 'tierUntil', 'tierMissing'] as const;
type TierFacts = Record<(typeof tierFacts)[number], Record<string, unknown>>;

/** When an activity of a test happened and is processed, and the metrics that it counts. */
interface TierMoment {
  date: Date;
  now: Date;
}

/** The id of every tier policy in tests; a ladder is found by the name of its policy. */
const policyId = new ObjectId('000000000000000000000002');

/**
 * The levels of a test's member. Metrics raise no level and levels have no end, but for those that rules give for a
 * time: they end by the dates of the activities, and challenges count.
 */
export class TestTiers {
  private readonly ladders: Map<string, Ladder>;

  constructor(
    private readonly program: Pick<ProgramReferences, 'tiers' | 'timezone'>,
    private readonly member: Readonly<Record<string, unknown>>,
    private readonly at: TierMoment,
    before: TestLadders,
  ) {
    this.ladders = new Map(
      [...before].map(([name, ladder]) => [name, lapse(ladder, () => Number.NEGATIVE_INFINITY, this.input(name))]),
    );
  }

  /** Sets a level, or gives it for a time. */
  set({ policy, level, keep, ...time }: LevelChange, daySum: (metric: string) => number): void {
    const input = this.input(policy);
    const ladder = this.ladders.get(policy) ?? this.initialLadder(policy);
    const number = this.levelsOf(policy).find(({ name }) => name === level)?.number ?? 0;
    const to = { name: level, number };
    const expiresOn = timeEnd(time, this.at.date, input);
    if (!expiresOn) this.ladders.set(policy, setLevel(ladder, to, input));
    else if (expiresOn > input.now) {
      const from = textOfDay(localDay(this.at.date, this.program.timezone));
      const challenge = keep && { keep: { ...keep, counted: daySum(keep.metric), from } };
      this.ladders.set(policy, grantLevel(ladder, { level: to, expiresOn, ...challenge }, input));
    }
  }

  /** The ladders after the activity, whose metrics count for challenges. */
  after(counted: readonly { metric: string; value: number }[]): TestLadders {
    const on = changeOn(this.at.date, this.program.timezone);
    const entries = counted.map(({ metric, value }) => ({ metric, value, member: policyId, ...on }));
    return new Map(
      [...this.ladders].map(([name, ladder]) => [
        name,
        keepLevels(countForChallenges(ladder, entries), this.input(name)),
      ]),
    );
  }

  /** The facts: what the test gives, and the levels that rules have moved. */
  facts(): TierFacts {
    const facts = Object.fromEntries(tierFacts.map((name) => [name, { ...asRecord(this.member[name]) }])) as TierFacts;
    for (const [policy, ladder] of this.ladders) {
      for (const name of tierFacts) delete facts[name][policy];
      const claim = bestClaim(ladder);
      for (const [name, value] of claim ? factsOfClaim(claim) : []) facts[name][policy] = value;
    }
    return facts;
  }

  /** The ladder of a level that the test gives. */
  private initialLadder(policy: string): Ladder {
    const levelName = asRecord(this.member.tier)[policy];
    const level = this.levelsOf(policy).find(({ name }) => name === levelName);
    if (!level) return emptyLadder(this.input(policy));
    const ms = instantMs(asRecord(this.member.tierSince)[policy]);
    const since = Number.isFinite(ms) ? new Date(ms) : this.at.now;
    return { policyId, steps: [{ level: { name: level.name, number: level.number }, since, isFirm: true }] };
  }

  private levelsOf(policy: string) {
    return this.program.tiers.find(({ name }) => name === policy)?.levels ?? [];
  }

  private input(policy: string): LadderInput {
    const levels = this.levelsOf(policy).map((level) => ({ ...level, threshold: Number.POSITIVE_INFINITY }));
    const enrolled = instantMs(this.member.enrolledAt);
    return {
      policy: { _id: policyId, levels, downgrade: 'none' },
      timezone: this.program.timezone,
      now: this.at.now,
      ...(Number.isFinite(enrolled) ? { enrolledAt: new Date(enrolled) } : {}),
    };
  }
}

function factsOfClaim({ level, since, expiresOn, keep }: Claim): [keyof TierFacts, unknown][] {
  return [
    ['tier', level.name],
    ['tierNumber', level.number],
    ['tierSince', since],
    ...(expiresOn ? [['tierUntil', expiresOn] as [keyof TierFacts, unknown]] : []),
    ...(keep ? [['tierMissing', missing(keep)] as [keyof TierFacts, unknown]] : []),
  ];
}
