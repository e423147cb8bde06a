import { datesInWords } from '#base/calendar/datesInWords';
import type { RuleDefinition } from '../format/rule';
import { actionPhrase } from './actionPhrase';
import { onOneLine } from './conditionTree';
import { conditionLines } from './explainCondition';

/**
 * What a rule does, in one sentence: `Accrual: when the activity's value is above 0, add 10 points to the purse
 * "Points".`
 * @param timezone of the program, for dates
 */
export function ruleSentence(rule: RuleDefinition, timezone = 'UTC'): string {
  const { activityTypes, perLine, conditions, actions } = rule;
  const lines = conditionLines(conditions).map((line) => line.trim().replace(/^- /, ''));
  const when = lines.length === 1 && lines[0] === 'always' ? 'always' : `when ${onOneLine(lines)}`;
  const of = perLine ? 'Each line item of ' : '';
  return datesInWords(`${of}${activityTypes.join(', ')}: ${when}, ${actions.map(actionPhrase).join('; ')}.`, timezone);
}
