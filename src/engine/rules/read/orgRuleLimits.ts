import { calculateObjectSize } from 'bson';
import { message } from '#base/common/messages/message';
import { yieldNow } from '#base/common/yielding';
import type { RuleDefinition } from '../format/rule';
import type { RuleFault } from '../source/ruleSource';
import type { ProgramRead } from './programFaults';

/** Maximum number of rules of an org. */
export const rulesMax = 5000;

/** Maximum size of the rules of an org. MongoDB allows 16 MB for the whole document. */
const bytesMax = 15 * 1_048_576;

/** Number of rules to measure between two pauses. */
const rulesAtOnce = 50;

interface Size {
  rules: number;
  bytes: number;
  /** The file of the last rule, or of the rule that goes beyond the limit. */
  file?: string;
}

/** How much a program takes more than before. */
interface Growth extends Size {
  code: string;
}

/** The limits of an org, and what is said of a program that would make the org exceed one. */
const limits = [
  {
    what: 'rules',
    max: rulesMax,
    faultOf: (count: number) => message('ruleFiles.tooManyRules', { count, max: rulesMax }),
  },
  {
    what: 'bytes',
    max: bytesMax,
    faultOf: () => message('ruleFiles.rulesTooLarge'),
  },
] as const;

/**
 * The faults of programs that would exceed the rule limits of their org. As long as a limit is exceeded, the program
 * that grows most is refused. So a program that stays as it is, or shrinks, is never refused.
 * @param programs the programs whose rules are to be published
 * @param inForce the rules in force of the org, without those of programs that end
 */
export async function orgRuleLimitFault(
  programs: readonly ProgramRead[],
  inForce: readonly RuleDefinition[],
): Promise<RuleFault[]> {
  if (programs.length === 0) return [];
  let taken = await computeGrowths(programs, inForce);
  const before = await measureRuleSizes(inForce);
  const faults: RuleFault[] = [];
  for (;;) {
    const sumOf = (what: 'rules' | 'bytes') => taken.reduce((sum, growth) => sum + growth[what], before[what]);
    const exceeded = limits.find(({ what, max }) => sumOf(what) > max);
    const most = exceeded && [...taken].sort((a, b) => b[exceeded.what] - a[exceeded.what])[0];
    // When nobody grows, the org was above the limit before, and does not come to more.
    if (!most || most[exceeded.what] <= 0) return faults;
    const fault = exceeded.faultOf(sumOf(exceeded.what));
    faults.push({ file: most.file ?? most.code, line: 1, column: 1, ...fault });
    taken = taken.filter((growth) => growth !== most);
  }
}

async function computeGrowths(programs: readonly ProgramRead[], inForce: readonly RuleDefinition[]): Promise<Growth[]> {
  const growths: Growth[] = [];
  for (const { program, rules } of programs) {
    const before = await measureRuleSizes(inForce.filter(({ programId }) => programId.equals(program._id)));
    const after = await measureRuleSizes(rules);
    const growth = { rules: after.rules - before.rules, bytes: after.bytes - before.bytes };
    growths.push({ ...after, ...growth, code: program.code });
  }
  return growths;
}

/** Measuring stops above the limit, since expanded named conditions can reach gigabytes. */
async function measureRuleSizes(rules: readonly RuleDefinition[]): Promise<Size> {
  const size: Size = { rules: rules.length, bytes: 0 };
  for (const [index, rule] of rules.entries()) {
    if (index % rulesAtOnce === 0) await yieldNow();
    size.bytes += calculateObjectSize(rule);
    size.file = rule.file;
    if (size.bytes > bytesMax) break;
  }
  return size;
}
