import { message } from '#base/common/messages/message';
import { yieldNow } from '#base/common/yielding';
import { compareRules, type RuleDefinition } from '../format/rule';
import { barrierIndex } from './barrierIndex';
import { comesFirst } from './comesFirst';
import { duplicateActions } from './duplicateActions';
import type { Finding } from './finding';
import { neverFires } from './neverFires';
import { ruleDemands } from './ruleDemands';

/** Number of rules to check between two pauses. */
const rulesAtOnce = 20;

/**
 * Finds doubtful rules among valid ones. A rule is doubtful when it can never fire, when it ended before `now`, when it
 * does under the same conditions what another rule does, or when another rule always prevents it. Only active rules are checked. Every
 * finding is certain, but lint does not find every doubtful rule.
 */
export async function lintRules(rules: readonly RuleDefinition[], now: Date): Promise<Finding[]> {
  const findings: Finding[] = [];
  const living: RuleDefinition[] = [];
  const active = rules.filter(({ status }) => status === 'active').sort(compareRules);
  for (const [index, rule] of active.entries()) {
    if (index % rulesAtOnce === 0) await yieldNow();
    const never = neverFires(rule);
    if (never) findings.push(never);
    else living.push(rule);
    const ended = endedBefore(rule, now);
    if (ended) findings.push(ended);
  }
  findings.push(...duplicateActions(living));
  for (const shadowed of barrierIndex(living)) {
    // One rule may be compared with thousands of others.
    await yieldNow();
    const inside = insideOther(shadowed);
    if (inside) findings.push(inside);
  }
  return findings;
}

function endedBefore(rule: RuleDefinition, now: Date): Finding | undefined {
  const { to } = rule.effective ?? {};
  if (!to || to > now) return undefined;
  return { kind: 'ended', rule, path: ['effective', 'to'], ...message('rules.ended', { date: to.toISOString() }) };
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
    const fault = first.pick === 'first' ? message('rules.firstOfGroup') : message('rules.stopsAll');
    return { kind: 'inside', rule, path: ['conditions'], ...fault, other: first };
  }
  return undefined;
}
