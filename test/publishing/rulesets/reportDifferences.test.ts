import { pino } from 'pino';
import { register } from 'prom-client';
import { reportDifferences } from '#publishing/rulesets/reportDifferences';
import { rule } from '../../engine/rules/builders';

async function count(name: string): Promise<number> {
  const metric = await register.getSingleMetric(name)?.get();
  return metric?.values[0]?.value ?? 0;
}

test('a difference is counted and logged with its rule, and without the values of facts', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => lines.push(line) });
  const before = await count('rules_shadow_levels_total');
  const failedCondition = {
    fact: 'member',
    path: '$.email',
    operator: 'equal',
    expected: 'x',
    actual: 'me@example.com',
  };
  reportDifferences([], log);
  reportDifferences(
    [
      {
        rule: rule({ key: 'web' }),
        ours: { holds: false, failed: false, failedCondition },
        reference: { holds: true, failed: false },
      },
    ],
    log,
  );
  expect(await count('rules_shadow_levels_total')).toBe(before + 2);
  expect(await count('rules_shadow_differences_total')).toBe(1);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ rule: 'web', program: 'demo', ours: { path: '$.email' } });
  expect(lines[0]).not.toContain('me@example.com');
});
