import path from 'node:path';
import { readRules } from '#engine/rules/read/readRules';
import { demoRuleReferences } from '#operations/demo/demoRuleReferences';
import { readFiles } from '#publishing/rulesets/files/readFiles';

const rulesDir = path.resolve(__dirname, '../../../rules');

test('the demo rules have no fault, no warning, and pass their tests', async () => {
  const { files, faults } = await readFiles(rulesDir, ['demo']);
  const { errors, warnings, rules } = await readRules(files, demoRuleReferences());
  expect([...faults, ...errors, ...warnings]).toEqual([]);
  expect(rules.map(({ key }) => key)).toContain('base-earn');
  expect(rules.every(({ tests }) => tests && tests.length > 0)).toBe(true);
});
