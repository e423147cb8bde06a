import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import type { OutcomeDifference } from '#engine/rules/evaluate/outcomeDifferences';

const levelsChecked = new Counter({
  name: 'rules_shadow_levels_total',
  help: 'Priority levels of activities that were evaluated by json-rules-engine as well (RULES_SHADOW)',
});
const differences = new Counter({
  name: 'rules_shadow_differences_total',
  help: 'Rules of those on which the two engines differ; anything but 0 is a fault',
});

/** Counts a level that was checked against json-rules-engine, and logs every rule on which the two engines differ. */
export function reportDifferences(found: readonly OutcomeDifference[], log: Logger): void {
  levelsChecked.inc();
  differences.inc(found.length);
  for (const { rule, ours, reference } of found) {
    const { key, version, programCode } = rule;
    // Values of facts may be personal, so the log names only the fact, path and operator.
    const compared = { ours: withoutValues(ours), reference: withoutValues(reference) };
    log.error(
      { rule: key, program: programCode, version, ...compared },
      'compiled rule differs from json-rules-engine',
    );
  }
}

function withoutValues({ holds, failed, failedCondition }: OutcomeDifference['ours']) {
  const { fact, path, operator } = failedCondition ?? {};
  return { holds, failed, fact, path, operator };
}
