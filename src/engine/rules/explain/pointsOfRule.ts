import { actionEffects, findActionDefinition } from '../actions/list';
import type { Rule } from '../format/rule';
import type { PastFacts } from './pastFacts';

/** The points that a rule would have awarded for a past activity; 0 when a fact of an amount is not known. */
export function pointsOfRule({ actions, priority }: Rule, facts: PastFacts): number {
  const awarding = actions.filter(({ type }) => findActionDefinition(type)?.points === 'awarded');
  try {
    const effects = awarding.flatMap((action, n) =>
      actionEffects(action, { readFact: (ref) => facts.partOf(ref, priority), position: n }),
    );
    return effects.reduce((sum, effect) => sum + ('points' in effect ? effect.points : 0), 0);
  } catch {
    return 0;
  }
}
