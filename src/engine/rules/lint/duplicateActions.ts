import { message } from '#base/common/messages/message';
import { findActionDefinition, type RuleAction } from '../actions/list';
import type { RuleDefinition } from '../format/rule';
import { canonical } from './canonical';
import type { Finding } from './finding';

/**
 * Finds rules that do under the same conditions what an earlier rule does: points into the same purse, the same reward,
 * a level of the same policy. Most are copies that nobody wanted. Rules that do different things, such as points and a
 * level, and rules for all activities of their type are not doubtful.
 */
export function duplicateActions(rules: readonly RuleDefinition[]): Finding[] {
  const known = new Map<string, RuleDefinition>();
  return rules.flatMap((rule): Finding[] => {
    const audience = audienceKey(rule);
    if (audience === undefined) return [];
    const done = new Map(rule.actions.map((action) => [`${audience} ${actionKey(action)}`, actionWords(action)]));
    const [other] = [...done.keys()].flatMap((key) => known.get(key) ?? []);
    const both = [...done].filter(([key]) => other !== undefined && known.get(key) === other).map(([, words]) => words);
    for (const key of done.keys()) known.set(key, known.get(key) ?? rule);
    if (!other) return [];
    const fault = message('rules.doneTwice', { actions: both.join(', ') });
    return [{ kind: 'same', rule, path: ['conditions'], ...fault, other }];
  });
}

/**
 * Identifies the activities and members that a rule is for: equal strings mean the same audience. Undefined when the
 * rule has no restriction, or competes by its points.
 */
function audienceKey(rule: RuleDefinition): string | undefined {
  const { programCode, activityTypes, priority, effective, hours, segments, tiers, group, perLine = false } = rule;
  const { schedule } = rule;
  const conditions = canonical(rule.conditions);
  if (conditions === 'always' && !hours && !segments && !tiers && !schedule) return undefined;
  if (rule.pick === 'highest' || rule.pick === 'lowest') return undefined;
  const sorted = (names: readonly string[] | undefined) => (names ? [...names].sort() : null);
  const lists = [activityTypes, segments, tiers].map(sorted);
  return JSON.stringify([programCode, ...lists, priority, schedule, effective, hours, group, perLine, conditions]);
}

/** Identifies what an action does: its type and the records that it names. Without names, all of its params count. */
function actionKey(action: RuleAction): string {
  const names = actionNames(action);
  return JSON.stringify(names.length > 0 ? [action.type, ...names] : action);
}

function actionWords(action: RuleAction): string {
  return [action.type, ...actionNames(action).map((name) => JSON.stringify(name))].join(' ');
}

/** The names in an action. Two levels of one policy exclude each other, so the policy alone says what is set. */
function actionNames(action: RuleAction): string[] {
  const names = findActionDefinition(action.type)?.names?.(action) ?? [];
  return names.filter(({ kind }) => kind !== 'tierLevel' && kind !== 'inactivityPurse').map(({ name }) => name);
}
