import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TSchema } from '@sinclair/typebox';
import { ruleSchemaText } from '#commands/rules';
import { actionDefinitions, actionTypes } from '#engine/rules/actions/list';
import { noNames } from '#engine/rules/format/factDefinition';
import { factDefinitions } from '#engine/rules/format/facts';
import { ruleShape } from '#engine/rules/format/rule';
import { decorators, operators } from '#engine/rules/language/operators';
import { readRules } from '#engine/rules/read/readRules';
import { demoRuleReferences } from '#operations/demo/demoRuleReferences';
import { faultLine } from '#publishing/rulesets/files/logLoad';
import { readFiles } from '#publishing/rulesets/files/readFiles';
import { ruleReferenceText } from '#publishing/rulesets/reference/ruleReferenceText';

const rulesDir = path.resolve(__dirname, '../../../rules');
const readme = readFileSync(path.join(rulesDir, 'README.md'), 'utf8');

test('the rule that the README teaches works beside the demo rules, as it says', async () => {
  const text = /```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const { files } = await readFiles(rulesDir, ['demo']);
  const read = await readRules([...files, { path: 'demo/kiosk.json', text }], demoRuleReferences());
  expect(read.errors).toEqual([]);
  expect(read.rules.find(({ key }) => key === 'kiosk')?.tests).toHaveLength(2);
});

test('a misspelt path is reported as the README shows', async () => {
  const text = (/```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? '').replace('$.srcChannelType', '$.srcChanelType');
  const { files } = await readFiles(rulesDir, ['demo']);
  const { errors, rules } = await readRules([...files, { path: 'demo/kiosk.json', text }], demoRuleReferences());
  const lines = errors.map((fault) => faultLine({ ...fault, file: `rules/${fault.file}` }));
  expect(lines).toHaveLength(1);
  const counts = `${rules.length} rules in ${files.length + 1} files: 1 fault, 0 warnings`;
  expect(readme).toContain(`\`\`\`\n${lines[0]}\n${counts}\n\`\`\``);
});

test('the table that the README shows works beside the demo rules', async () => {
  const section = readme.slice(readme.indexOf('## Tables'));
  const block = (kind: string) => section.split(`\`\`\`${kind}\n`)[1]?.split('```')[0] ?? '';
  const { files } = await readFiles(rulesDir, ['demo']);
  const own = [
    { path: 'demo/channel-bonus.json', text: block('json') },
    { path: 'demo/channel-bonus.csv', text: block('csv') },
  ];
  const read = await readRules([...files, ...own], demoRuleReferences());
  expect(read.errors).toEqual([]);
  expect(read.rules.filter(({ row }) => row?.table === 'channel-bonus')).toHaveLength(3);
});

test('the lookup table that the README shows works beside the demo rules', async () => {
  const section = readme.slice(readme.indexOf('## Values from a lookup table'));
  const [, declared = '', rule = ''] = section.split('```json\n').map((block) => block.split('```')[0] ?? '');
  const csv = section.split('```csv\n')[1]?.split('```')[0] ?? '';
  const { files } = await readFiles(rulesDir, ['demo']);
  const own = [
    { path: 'demo/distances.json', text: declared },
    { path: 'demo/distances.csv', text: csv },
    { path: 'demo/flight-miles.json', text: rule },
  ];
  const read = await readRules([...files, ...own], demoRuleReferences());
  expect([read.errors, read.warnings]).toEqual([[], []]);
  expect(read.rules.find(({ key }) => key === 'flight-miles')?.tests).toHaveLength(1);
});

test('every file that the README says to copy exists', () => {
  const section = readme.slice(readme.indexOf('## Copy what comes closest'), readme.indexOf('## What a rule can say'));
  const named = [...section.matchAll(/`([\w-]+\.json)`/g)].map(([, file]) => file);
  const there = readdirSync(path.join(rulesDir, 'demo'));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !there.includes(file ?? ''))).toEqual([]);
});

test('REFERENCE.md is up to date (npm run rules -- reference)', () => {
  expect(readFileSync(path.join(rulesDir, 'REFERENCE.md'), 'utf8')).toBe(ruleReferenceText());
});

test('the reference tells the meaning of every field of a rule, fact, operator and action', () => {
  const descriptions = {
    ...Object.fromEntries(Object.entries(ruleShape.properties).map(([name, { description }]) => [name, description])),
    ...Object.fromEntries(
      Object.entries(factDefinitions(noNames)).map(([name, { description }]) => [name, description]),
    ),
    ...Object.fromEntries(Object.entries(operators).map(([name, { description }]) => [name, description])),
    ...Object.fromEntries(actionTypes.map((type) => [type, actionDefinitions[type].params.description])),
    ...decorators,
    $schema: 'for editors',
  };
  expect(Object.entries(descriptions).flatMap(([name, text]) => (text ? [] : [name]))).toEqual([]);
  expect(
    Object.keys(descriptions).filter((name) => name !== '$schema' && !ruleReferenceText().includes(`\`${name}`)),
  ).toEqual([]);
});

test('every field of an action says what it is', () => {
  const unsaid = actionTypes.flatMap((type) =>
    Object.entries<TSchema>(actionDefinitions[type].params.properties).flatMap(
      ([name, { description, const: fixed }]) => (description || fixed ? [] : [`${type}.${name}`]),
    ),
  );
  expect(unsaid).toEqual([]);
});

test('rule.schema.json is up to date (npm run rules -- schema)', () => {
  expect(readFileSync(path.join(rulesDir, 'rule.schema.json'), 'utf8')).toBe(ruleSchemaText());
});
