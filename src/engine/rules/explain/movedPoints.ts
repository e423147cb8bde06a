import type { ObjectId } from 'bson';
import { findActionDefinition } from '../actions/list';
import type { Rule } from '../format/rule';
import { plural } from '../words/amountText';

/** Points that a rule moved in one purse: added when positive, taken when negative. */
export interface MovedPoints {
  purse: string;
  points: number;
  /** They are another member's. */
  isOther: boolean;
}

/** What each rule of an activity moved, by the hexadecimal id of the rule. */
export type MovedByRule = ReadonlyMap<string, readonly MovedPoints[]>;

/** A stored or planned movement of one lot, or of debt. */
interface Movement {
  rule?: ObjectId | undefined;
  purse: ObjectId;
  member: ObjectId;
  points: number;
}

/**
 * Adds up the points that the effects of an activity moved, by rule, purse and owner.
 * @param nameOf name of a purse policy; undefined when it exists no more
 */
export function movedByRule(
  { accrued, burned, debts }: Record<'accrued' | 'burned' | 'debts', readonly Movement[]>,
  own: ObjectId,
  nameOf: (purse: ObjectId) => string | undefined,
): MovedByRule {
  const moved = new Map<string, MovedPoints[]>();
  const add = ({ rule, purse: id, member, points }: Movement, sign: 1 | -1) => {
    const purse = nameOf(id);
    if (!rule || purse === undefined) return;
    const isOther = !member.equals(own);
    const ofRule = moved.get(rule.toHexString()) ?? [];
    const known = ofRule.find((each) => each.purse === purse && each.isOther === isOther && each.points * sign > 0);
    if (known) known.points += sign * points;
    else ofRule.push({ purse, points: sign * points, isOther });
    moved.set(rule.toHexString(), ofRule);
  };
  for (const each of accrued) add(each, 1);
  for (const each of [...burned, ...debts]) add(each, -1);
  return moved;
}

/**
 * What a rule that fired did, in words: `It fired for 3 points in Points`, `It fired and took 40 points from Points`.
 * @param granted the points that limits count; undefined when the rule moves none that they count
 * @param moved what it moved; undefined when this is not known, or the activity failed
 */
export function firedPhrase(
  rule: Rule | undefined,
  granted: number | undefined,
  moved: readonly MovedPoints[] | undefined,
): string {
  if (moved && moved.length > 0) {
    const [gains, losses] = [moved.filter(({ points }) => points > 0), moved.filter(({ points }) => points < 0)];
    const start = gains.length > 0 ? `It fired for ${listed(gains, 'in')}` : 'It fired';
    return losses.length > 0 ? `${start} and took ${listed(losses, 'from')}` : start;
  }
  if (granted === undefined) return 'It fired';
  const added = actionPurses(rule, 'awarded');
  const taken = actionPurses(rule, 'redeemed');
  if (granted === 0 || added.length + taken.length === 0) return `It fired for ${plural(granted, 'point')}`;
  if (added.length === 0) return `It fired and took ${plural(granted, 'point')} from ${taken.join(' and ')}`;
  return `It fired for ${plural(granted, 'point')} in ${added.join(' and ')}`;
}

function listed(moved: readonly MovedPoints[], at: 'in' | 'from'): string {
  return moved
    .map(({ purse, points, isOther }) => {
      const ownerText = isOther ? ' of another member' : '';
      return `${plural(Math.abs(points), 'point')} ${at} ${purse}${ownerText}`;
    })
    .join(' and ');
}

/** The purses of the actions of a rule that limits count in this way. */
export function actionPurses(rule: Rule | undefined, counted: 'awarded' | 'redeemed'): string[] {
  const those = (rule?.actions ?? []).filter(({ type }) => findActionDefinition(type)?.points === counted);
  return [...new Set(those.flatMap((action) => ('purse' in action ? [action.purse] : [])))];
}
