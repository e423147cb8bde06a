import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ruleSchemaText } from '../../src/commands/rules';
import { demoDefinitions } from '../../src/demo/demoDefinitions';
import { actionTypes } from '../../src/rules/actions/list';
import { factsOf, noNames } from '../../src/rules/facts';
import { decorators, operators } from '../../src/rules/operators';
import { readRules } from '../../src/rules/readRules';
import { ruleShape } from '../../src/rules/rule';
import { readFiles } from '../../src/rulesets/readFiles';

const rulesDir = path.resolve(__dirname, '../../rules');
const readme = readFileSync(path.join(rulesDir, 'README.md'), 'utf8');

test('the rule that the README teaches works beside the demo rules, as it says', async () => {
  const text = /```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const { files } = await readFiles(rulesDir);
  const read = await readRules([...files, { path: 'demo/kiosk.json', text }], demoDefinitions());
  expect(read.errors).toEqual([]);
  expect(read.rules.find(({ key }) => key === 'kiosk')?.tests).toHaveLength(2);
});

test('the table that the README shows works beside the demo rules', async () => {
  const section = readme.slice(readme.indexOf('## Tables'));
  const block = (kind: string) => section.split(`\`\`\`${kind}\n`)[1]?.split('```')[0] ?? '';
  const { files } = await readFiles(rulesDir);
  const own = [
    { path: 'demo/channel-bonus.json', text: block('json') },
    { path: 'demo/channel-bonus.csv', text: block('csv') },
  ];
  const read = await readRules([...files, ...own], demoDefinitions());
  expect(read.errors).toEqual([]);
  expect(read.rules.filter(({ row }) => row?.table === 'channel-bonus')).toHaveLength(3);
});

test.each([
  ['field', Object.keys(ruleShape.properties).filter((name) => name !== '$schema')],
  ['fact', Object.keys(factsOf(noNames))],
  ['operator', Object.keys(operators)],
  ['decorator', Object.keys(decorators).map((name) => `${name}:`)],
  ['action', actionTypes],
])('the README names every %s that is implemented', (_, names) => {
  const missing = names.filter((name) => !readme.includes(`\`${name}\``) && !readme.includes(`"type": "${name}"`));
  expect(missing).toEqual([]);
});

test('rule.schema.json is up to date (npm run rules -- schema)', () => {
  expect(readFileSync(path.join(rulesDir, 'rule.schema.json'), 'utf8')).toBe(ruleSchemaText());
});
