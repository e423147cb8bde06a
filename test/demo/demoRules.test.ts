import path from 'node:path';
import { demoRuleReferences } from '../../src/demo/demoRuleReferences';
import { readRules } from '../../src/rules/read/readRules';
import { readFiles } from '../../src/rulesets/files/readFiles';

const rulesDir = path.resolve(__dirname, '../../rules');

test('the demo rules have no fault, no warning, and pass their tests', async () => {
  const { files, faults } = await readFiles(rulesDir, ['demo']);
  const { errors, warnings, rules } = await readRules(files, demoRuleReferences());
  expect([...faults, ...errors, ...warnings]).toEqual([]);
  expect(rules.map(({ key }) => key)).toContain('base-earn');
  expect(rules.every(({ tests }) => tests && tests.length > 0)).toBe(true);
});
