import { message } from '#base/common/messages/message';
import { comparisonSentence } from '../explain/explainCondition';
import type { RuleDefinition } from '../format/rule';
import type { Finding } from './finding';
import { type RuleDemand, ruleDemands } from './ruleDemands';
import { isUnsatisfiable } from './unsatisfiable';

/** Maximum number of demands for which the message names those that contradict each other. */
const demandsMax = 50;

/** A finding for a rule whose conditions contradict each other or its other fields. It names the contradiction. */
export function neverFires(rule: RuleDefinition): Finding | undefined {
  const demands = ruleDemands(rule);
  if (!isUnsatisfiable(demands)) return undefined;
  if (demands.length > demandsMax) {
    return { kind: 'never', rule, path: ['conditions'], ...message('rules.contradiction') };
  }
  const core = minimalCore(demands);
  const path = core.findLast(({ field }) => field === undefined)?.path ?? ['conditions'];
  const [only, ...others] = core.map(demandText);
  const fault =
    others.length === 0
      ? message('rules.needsWhatCannotBe', { needs: only ?? '' })
      : message('rules.needsWhatContradicts', { needs: [only, ...others].join(', and that ') });
  return { kind: 'never', rule, path, ...fault };
}

/** Only the demands that are necessary for the contradiction. */
function minimalCore(demands: readonly RuleDemand[]): RuleDemand[] {
  let core = [...demands];
  for (const each of demands) {
    const others = core.filter((other) => other !== each);
    if (isUnsatisfiable(others)) core = others;
  }
  return core;
}

function demandText({ condition, field }: RuleDemand): string {
  if (field === 'hours') return `the activity's date lies in "hours"`;
  if (field === 'effective') return `the activity's date lies in "effective"`;
  if ('fact' in condition) return comparisonSentence(condition);
  if ('any' in condition) return 'one of several conditions holds';
  return 'not' in condition ? 'a condition does not hold' : 'several conditions hold';
}
