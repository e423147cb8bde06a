import { compareRules, type RuleDefinition } from '../format/rule';
import { pause } from '../source/pause';
import { barrierIndex } from './barrierIndex';
import { canonical } from './canonical';
import { comesFirst } from './comesFirst';
import type { Finding } from './finding';
import { neverFires } from './neverFires';
import { ruleDemands } from './ruleDemands';

/** Number of rules to check between two pauses. */
const rulesAtOnce = 20;

/**
 * Finds doubtful rules among valid ones. A rule is doubtful when it can never fire, when it ended before `now`, when it
 * has the conditions of another rule, or when another rule always prevents it. Only active rules are checked. Every
 * finding is certain, but lint does not find every doubtful rule.
 */
export async function lintRules(rules: readonly RuleDefinition[], now: Date): Promise<Finding[]> {
  const findings: Finding[] = [];
  const living: RuleDefinition[] = [];
  const active = rules.filter(({ status }) => status === 'active').sort(compareRules);
  for (const [index, rule] of active.entries()) {
    if (index % rulesAtOnce === 0) await pause();
    const never = neverFires(rule);
    if (never) findings.push(never);
    else living.push(rule);
    const ended = endedBefore(rule, now);
    if (ended) findings.push(ended);
  }
  findings.push(...sameConditions(living));
  for (const shadowed of barrierIndex(living)) {
    // One rule may be compared with thousands of others.
    await pause();
    const inside = insideOther(shadowed);
    if (inside) findings.push(inside);
  }
  return findings;
}

function endedBefore(rule: RuleDefinition, now: Date): Finding | undefined {
  const { to } = rule.effective ?? {};
  if (!to || to > now) return undefined;
  const message = `ended on ${to.toISOString()}; only activities dated before can still meet it`;
  return { kind: 'ended', rule, path: ['effective', 'to'], message };
}

/** Rules that fire for the same activities. Rules for all activities of their type are not doubtful. */
function sameConditions(rules: readonly RuleDefinition[]): Finding[] {
  const known = new Map<string, RuleDefinition>();
  return rules.flatMap((rule): Finding[] => {
    const audience = audienceOf(rule);
    if (audience === undefined) return [];
    const other = known.get(audience);
    known.set(audience, other ?? rule);
    return other ? [{ kind: 'same', rule, path: ['conditions'], message: 'has the same conditions as', other }] : [];
  });
}

/**
 * Identifies the activities and members that a rule is for: equal texts mean the same. Undefined when the rule has no
 * restriction, or competes by its points.
 */
function audienceOf(rule: RuleDefinition): string | undefined {
  const { programCode, activityTypes, priority, effective, hours, segments, tiers, group, perLine = false } = rule;
  const asked = canonical(rule.conditions);
  if (asked === 'always' && !hours && !segments && !tiers) return undefined;
  if (rule.pick === 'highest' || rule.pick === 'lowest') return undefined;
  const sorted = (names: readonly string[] | undefined) => (names ? [...names].sort() : null);
  const lists = [activityTypes, segments, tiers].map(sorted);
  return JSON.stringify([programCode, ...lists, priority, effective, hours, group, perLine, asked]);
}

function insideOther({
  rule,
  barriers,
}: {
  rule: RuleDefinition;
  barriers: Iterable<RuleDefinition>;
}): Finding | undefined {
  const demands = ruleDemands(rule);
  for (const first of barriers) {
    if (!comesFirst(first, rule, demands)) continue;
    const why = first.pick === 'first' ? 'is the first of the group' : 'stops all after it';
    return {
      kind: 'inside',
      rule,
      path: ['conditions'],
      message: `never fires: what meets it meets a rule that ${why}:`,
      other: first,
    };
  }
  return undefined;
}
