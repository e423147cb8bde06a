import { asInstalled, atItsBest, compiledOnce, type Evaluate } from './engines';
import { loyaltyFacts } from './loyaltyFacts';
import { loyaltyRules } from './loyaltyRules';

/** How a run is measured and where it tells how far it is. */
export interface RulesBench {
  /** How long each figure is measured, after a warm-up of a third of it. */
  rowMs: number;
  say(line: string): void;
}

const sizes = [50, 500, 2000];
const activities = Array.from({ length: 512 }, (_unused, n) => loyaltyFacts(n));

/**
 * How many activities a second are evaluated against all rules: by json-rules-engine as it is and at its best, by the
 * service, and by the service with the reason of every rule that does not hold. Rows of a table.
 */
export async function measureRules({ rowMs, say }: RulesBench): Promise<string[]> {
  say('compiling 2,000 rules');
  const compiling = await compileMs(2000);
  await requireSameAnswers();
  const rows = [
    '| rules | json-rules-engine as is | at its best | compiled | ratio | ratio to its best | with every reason | ratio |',
    '|---:|---:|---:|---:|---:|---:|---:|---:|',
  ];
  for (const size of sizes) {
    say(`${size} rules`);
    const rules = loyaltyRules(size);
    const plain = await perSecond(asInstalled(rules), rowMs);
    const best = await perSecond(atItsBest(rules), rowMs);
    const ours = await perSecond(compiledOnce(rules), rowMs);
    const explained = await perSecond(compiledOnce(rules, true), rowMs);
    const cells = [size, plain, best, ours, ours / plain, ours / best, explained, explained / plain];
    rows.push(`| ${cells.map((cell) => (cell < 100 ? cell.toFixed(1) : Math.round(cell))).join(' | ')} |`);
  }
  return [...rows, '', `2,000 rules are compiled and first answered in ${compiling.toFixed(0)} ms`];
}

/** A rate means nothing when the engines disagree. */
async function requireSameAnswers(): Promise<void> {
  const rules = loyaltyRules(200);
  const [plain, best, ours] = [asInstalled(rules), atItsBest(rules), compiledOnce(rules)];
  for (const facts of activities.slice(0, 64)) {
    const counts = [await plain(facts), await best(facts), await ours(facts)];
    if (new Set(counts).size !== 1) throw new Error(`the engines disagree: ${counts.join(', ')} rules hold`);
  }
}

async function perSecond(evaluate: Evaluate, rowMs: number): Promise<number> {
  await count(evaluate, rowMs / 3);
  return count(evaluate, rowMs);
}

async function count(evaluate: Evaluate, forMs: number): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  for (;;) {
    const facts = activities[done % activities.length] ?? {};
    const held = evaluate(facts);
    if (held instanceof Promise) await held;
    done += 1;
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs >= forMs) return (done * 1000) / elapsedMs;
  }
}

/** The time from rules as published to the first answer. */
async function compileMs(size: number): Promise<number> {
  const rules = loyaltyRules(size);
  const startedAt = performance.now();
  await compiledOnce(rules)(activities[0] ?? {});
  return performance.now() - startedAt;
}
