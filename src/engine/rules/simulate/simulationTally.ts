import Big from 'big.js';
import { message } from '#base/common/messages/message';
import { sum } from '#engine/points/pointsOverflow';
import { ComparedSums, type Difference, withDifference } from './comparedSums';
import { pastGroups } from './pastGroups';
import { keptPoints, type ProcessedActivity, type PurseChange } from './processedActivity';
import type { ruleChanges } from './ruleChanges';
import type { SimulatedAwards } from './simulatedAwards';
import { SimulatedDays } from './simulatedDays';
import { SimulatedOffers } from './simulatedOffers';
import { SimulatedRules } from './simulatedRules';
import type { SimulationInput } from './simulationInput';
import { namedMembersMax, rowsMax, type SimulationResult } from './simulationResult';
import { SimulationTooLarge } from './simulationTooLarge';

/** Maximum number of members of a simulation. */
const membersMax = 500_000;

/** Adds up what the rules in force give for past activities, and what the changed rules give. */
export class SimulationTally {
  private readonly rules: SimulatedRules;
  private readonly total = { before: 0, after: 0 };
  private readonly counts = { activities: 0, differing: 0, failing: 0, notEvaluated: 0 };
  private readonly purses = new ComparedSums();
  private readonly members = new ComparedSums();
  private readonly days = new SimulatedDays();
  private readonly offers = new SimulatedOffers();
  private readonly groups = new ComparedSums();
  private readonly groupActivities = new Map<string, number>();
  private readonly programCodes = new Map<string, string>();

  constructor(
    private readonly input: Pick<SimulationInput, 'purses'>,
    changes: ReturnType<typeof ruleChanges>,
  ) {
    this.rules = new SimulatedRules(changes);
  }

  /**
   * Adds an activity.
   * @throws SimulationTooLarge when there are too many members
   */
  add(past: ProcessedActivity, was: SimulatedAwards, is: SimulatedAwards): void {
    const { program } = past;
    const { incomplete, hasFailed } = is;
    for (const award of was.awards) this.rules.count(program._id, award, 'before');
    for (const award of is.awards) this.rules.count(program._id, award, 'after');
    for (const rule of incomplete) this.rules.countMissing(program._id, rule);
    this.offers.count(program.code, was.coupons, 'before');
    this.offers.count(program.code, is.coupons, 'after');
    const changes = { before: allChanges(was), after: allChanges(is) };
    const [before, after] = [byPurse(changes.before), byPurse(changes.after)];
    this.addPurses(past, before, after);
    const points = { before: sumPursePoints(before), after: sumPursePoints(after) };
    this.total.before = sum(this.total.before, points.before);
    this.total.after = sum(this.total.after, points.after);
    this.days.add(past, points);
    this.addMembers(past, changes);
    if (this.members.size > membersMax) {
      throw new SimulationTooLarge(message('simulations.tooManyMembers', { max: membersMax }));
    }
    this.addGroups(past, points);
    this.counts.activities += 1;
    if (hasFailed) this.counts.failing += 1;
    if (incomplete.length > 0) this.counts.notEvaluated += 1;
    if (points.before !== points.after) this.counts.differing += 1;
  }

  /** The result of the activities added so far. */
  result(): SimulationResult {
    const purses = this.purseRows();
    const liability = purses.reduce(
      (total, { liability: own }) => total.plus(typeof own === 'number' ? own : 0),
      new Big(0),
    );
    return {
      ...this.counts,
      points: withDifference(this.total),
      liability: liability.toNumber(),
      rules: this.rules.rows(),
      offers: this.offers.rows(),
      purses,
      members: this.memberRows(),
      byTime: this.days.rows(),
      groups: this.groupRows(),
    };
  }

  private addPurses({ program }: ProcessedActivity, before: PursePoints, after: PursePoints): void {
    const id = program._id.toHexString();
    this.programCodes.set(id, program.code);
    for (const purse of new Set([...before.keys(), ...after.keys()])) {
      this.purses.add(`${id} ${purse}`, { before: before.get(purse) ?? 0, after: after.get(purse) ?? 0 });
    }
  }

  /** Points count for the owner of the purse, who may be another member than the one of the activity. */
  private addMembers(
    { memberId }: ProcessedActivity,
    changes: Record<'before' | 'after', readonly PurseChange[]>,
  ): void {
    const ofMember = ({ member = memberId }: PurseChange) => member.toHexString();
    this.members.add(memberId.toHexString(), { before: 0, after: 0 });
    for (const change of changes.before) this.members.add(ofMember(change), { before: keptPoints(change), after: 0 });
    for (const change of changes.after) this.members.add(ofMember(change), { before: 0, after: keptPoints(change) });
  }

  private addGroups(past: ProcessedActivity, points: { before: number; after: number }): void {
    for (const { by, name } of pastGroups(past)) {
      const key = `${by}\n${name}`;
      if (this.groups.size >= rowsMax && !this.groupActivities.has(key)) continue;
      this.groups.add(key, points);
      this.groupActivities.set(key, (this.groupActivities.get(key) ?? 0) + 1);
    }
  }

  private purseRows(): SimulationResult['purses'] {
    return [...this.purses.entries()].slice(0, rowsMax).map(([key, difference]) => {
      const [program = '', purse = ''] = splitAt(key, ' ');
      const policy = this.input.purses.find((each) => each.name === purse && each.program.toHexString() === program);
      const costPerPoint = policy?.costPerPoint ?? null;
      const liability = costPerPoint === null ? null : new Big(costPerPoint).times(difference.difference).toNumber();
      return { program: this.programCodes.get(program) ?? '', purse, ...difference, costPerPoint, liability };
    });
  }

  private groupRows(): SimulationResult['groups'] {
    return [...this.groups.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, difference]) => {
        const [by = '', name = ''] = splitAt(key, '\n');
        return { by, name, activities: this.groupActivities.get(key) ?? 0, ...difference };
      });
  }

  private memberRows(): SimulationResult['members'] {
    const differing: (Difference & { member: string })[] = [];
    for (const [member, compared] of this.members.entries()) {
      if (compared.difference !== 0) differing.push({ member, ...compared });
    }
    differing.sort((a, b) => b.difference - a.difference || (a.member < b.member ? -1 : 1));
    const losers = differing.filter(({ difference }) => difference < 0).reverse();
    const winners = differing.slice(0, differing.length - losers.length);
    return {
      total: this.members.size,
      winners: winners.length,
      losers: losers.length,
      unchanged: this.members.size - differing.length,
      mostWon: winners.slice(0, namedMembersMax),
      mostLost: losers.slice(0, namedMembersMax),
    };
  }
}

type PursePoints = ReadonlyMap<string, number>;

function allChanges({ awards, coupons }: SimulatedAwards): PurseChange[] {
  return [...awards, ...coupons].flatMap(({ changes }) => changes);
}

function byPurse(changes: readonly PurseChange[]): PursePoints {
  const points = new Map<string, number>();
  for (const change of changes) points.set(change.purse, sum(points.get(change.purse) ?? 0, keptPoints(change)));
  return points;
}

function sumPursePoints(points: PursePoints): number {
  let total = 0;
  for (const each of points.values()) total = sum(total, each);
  return total;
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}
