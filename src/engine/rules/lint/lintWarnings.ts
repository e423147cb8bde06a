import { message, pickMessage } from '#base/common/messages/message';
import { compareRules } from '../format/rule';
import { faultless } from '../read/programFaults';
import type { SourcedRules } from '../read/readRules';
import type { RuleFault } from '../source/ruleSource';
import { lintRules } from './lintRules';

/** The warnings of lint with their positions, in the order of the files. Programs with a fault are left out. */
export async function lintWarnings(
  { programs, placeOf }: Pick<SourcedRules, 'programs' | 'placeOf'>,
  now: Date,
): Promise<RuleFault[]> {
  const rules = faultless(programs).flatMap((program) => program.rules);
  const findings = await lintRules(rules.sort(compareRules), now);
  const warnings = findings.map(({ rule, path, other, ...finding }) => {
    const place = other && placeOf(other, []);
    const fault = pickMessage(finding);
    const note = place
      ? message('rules.lintOfTwo', { rule: rule.key, fault, other: other.key, file: place.file, line: place.line })
      : message('rules.lint', { rule: rule.key, fault });
    return { ...placeOf(rule, path), ...note };
  });
  return warnings.sort(byPlace);
}

function byPlace(a: RuleFault, b: RuleFault): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
