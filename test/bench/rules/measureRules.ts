import type { Rule } from '#engine/rules/format/rule';
import { asInstalled, atItsBest, compiledOnce, type Evaluate } from './engines';
import { loyaltyFacts } from './loyaltyFacts';
import { loyaltyRules } from './loyaltyRules';
import { measureLookups } from './measureLookups';
import { measureSimulation } from './measureSimulation';

/** Options of the bench; `say` gets lines about its progress. */
export interface RulesBench {
  /** How long each figure is measured, in milliseconds, in five rounds after a warm-up. */
  rowMs: number;
  say(line: string): void;
}

const sizes = [50, 500, 2000];
const activities = Array.from({ length: 512 }, (_unused, n) => loyaltyFacts(n));

/**
 * Measures how many activities per second are evaluated against all rules: by json-rules-engine in its default and its
 * fastest configuration, by the service, and by the service with the reason of every rule that does not hold.
 * @returns rows of a table
 */
export async function measureRules({ rowMs, say }: RulesBench): Promise<string[]> {
  say('compiling 2,000 rules');
  const compiling = await compile(2000);
  await requireSameAnswers();
  const cells = sizes.flatMap((size) => enginesOf(loyaltyRules(size)).map((evaluate) => ({ evaluate, rates: [0] })));
  for (let round = 0; round <= rounds; round += 1) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const cell of cells) {
      const rate = await perSecond(cell.evaluate, rowMs / rounds);
      if (round > 0) cell.rates[round - 1] = rate;
    }
  }
  const medians = cells.map(({ rates }) => rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0);
  return [
    '| rules | json-rules-engine as is | at its best | compiled | ratio | ratio to its best | with every reason | ratio |',
    '|---:|---:|---:|---:|---:|---:|---:|---:|',
    ...sizes.map((size, index) => row(size, medians.slice(index * 4, index * 4 + 4))),
    '',
    `2,000 rules are compiled and first answered in ${compiling}`,
    await measureSimulation(rowMs),
    await measureLookups(rowMs),
  ];
}

/** The engines take turns in this many rounds, so that other work on the machine slows all of them equally. */
const rounds = 5;

function enginesOf(rules: readonly Rule[]): Evaluate[] {
  return [asInstalled(rules), atItsBest(rules), compiledOnce(rules), compiledOnce(rules, true)];
}

function row(size: number, [plain = 0, best = 0, ours = 0, explained = 0]: readonly number[]): string {
  const cells = [size, plain, best, ours, ours / plain, ours / best, explained, explained / plain];
  return `| ${cells.map((cell) => (cell < 100 ? cell.toFixed(1) : Math.round(cell))).join(' | ')} |`;
}

/** Checks that the engines agree, because otherwise their rates cannot be compared. */
async function requireSameAnswers(): Promise<void> {
  const rules = loyaltyRules(200);
  const [plain, best, ours] = [asInstalled(rules), atItsBest(rules), compiledOnce(rules)];
  for (const facts of activities.slice(0, 64)) {
    const counts = [await plain(facts), await best(facts), await ours(facts)];
    if (new Set(counts).size !== 1) throw new Error(`the engines disagree: ${counts.join(', ')} rules hold`);
  }
}

async function perSecond(evaluate: Evaluate, forMs: number): Promise<number> {
  const startedAt = performance.now();
  for (let done = 1; ; done += 1) {
    const current = evaluate(activities[done % activities.length] ?? {});
    if (current instanceof Promise) await current;
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs >= forMs) return (done * 1000) / elapsedMs;
  }
}

/** Measures the time from the published rules to the first result. */
async function compile(size: number): Promise<string> {
  const rules = loyaltyRules(size);
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  await compiledOnce(rules)(activities[0] ?? {});
  const { user, system } = process.cpuUsage(cpu);
  return `${(performance.now() - startedAt).toFixed(0)} ms (${((user + system) / 1000).toFixed(0)} ms of CPU)`;
}
