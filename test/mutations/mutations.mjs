// Plants faults in the sources, one at a time, and says which of them the tests find: `node test/mutations/mutations.mjs`.
// It changes files of this checkout and restores them, so nothing else may run in it. Settings: SEED draws the faults,
// MUTANTS is their number (200), MINUTES the time after which it ends (60), FOLDERS where they are (src/engine,
// src/activities, src/records/points/expiry). A fault that the compiler finds does not count: another is drawn.
//
// First each fault is tried with the few test files that most likely find it: the file that mirrors the source or its
// folder, those that import the source, the nearest folder of pure tests, and the files that found most faults so far,
// also in earlier runs. In the last third of the time, what these do not find is tried with all tests of its district,
// then in the long form (TEST_SCALE=10). What only that finds was lost by drawing, and makes the exit code 1.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import ts from 'typescript';

const {
  SEED = '1',
  MUTANTS = '200',
  MINUTES = '60',
  FOLDERS = 'src/engine,src/activities,src/records/points/expiry',
} = process.env;
const end = Date.now() + Number(MINUTES) * 60_000;

/** What takes the place of a token. */
const replacements = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '+'],
]);

/** The faults that can be planted in a file: from, to, and the text instead. */
function faultsIn(file) {
  const text = readFileSync(file, 'utf8');
  const found = [];
  const visit = (node) => {
    const at = (part, by) => found.push({ file, from: part.getStart(), to: part.getEnd(), by });
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const by = replacements.get(node.operatorToken.kind);
      if (by) at(node.operatorToken, by);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      at(node, node.operand.getText());
    } else if (ts.isIfStatement(node)) {
      at(node.expression, 'false');
    } else if (ts.isConditionalExpression(node)) {
      at(node.condition, 'true');
    } else if (ts.isNumericLiteral(node)) {
      at(node, `(${node.text} + 1)`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

/** Numbers from 0 up to, but not including, `n`, by the seed. */
let state = Number(SEED) >>> 0;
function number(n) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
}

/** The compiler, which reads a changed file again. It checks that file only: most faults change no type elsewhere. */
const config = ts.getParsedCommandLineOfConfigFile(
  'tsconfig.json',
  {},
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: console.error },
);
const versions = new Map();
const compiler = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getCompilationSettings: () => config.options,
  getScriptFileNames: () => config.fileNames,
  getScriptVersion: (file) => String(versions.get(path.resolve(file)) ?? 0),
  getScriptSnapshot: (file) =>
    existsSync(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
});

function hasTypeFaults(file) {
  const absolute = path.resolve(file);
  versions.set(absolute, (versions.get(absolute) ?? 0) + 1);
  return compiler.getSemanticDiagnostics(absolute).length > 0;
}

const { pure } = createRequire(import.meta.url)('../../.districts.cjs');
const purePlaces = new RegExp(`^test/(?:${[...pure, 'base/common'].join('|')})/`);

/** The test files, each with the sources that it imports. */
const testFiles = readdirSync('test', { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => {
    const imported = readFileSync(path.join('test', name), 'utf8').matchAll(/ from '#([^']+)'/g);
    return { file: path.join('test', name), imports: new Set(Array.from(imported, ([, id]) => `src/${id}.ts`)) };
  });

/** How many faults each test file found, also in earlier runs. */
const findsFile = 'node_modules/.cache/mutation-finds.json';
const finds = new Map(existsSync(findsFile) ? JSON.parse(readFileSync(findsFile, 'utf8')) : []);

function noteFind(test) {
  finds.set(test, (finds.get(test) ?? 0) + 1);
  writeFileSync(findsFile, JSON.stringify([...finds]));
}

/** The folders of tests that mirror a source, the nearest first. */
function foldersFor(file) {
  const folders = [];
  for (let folder = path.dirname(file).replace(/^src/, 'test'); folder !== 'test'; folder = path.dirname(folder)) {
    if (existsSync(folder)) folders.push(`${folder}/`);
  }
  return folders;
}

/** The few tests that most likely find a fault of a file, step by step. */
function quickSteps(file) {
  const mirror = file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts');
  const mirrors = [mirror, `${path.dirname(mirror)}.test.ts`];
  const near = testFiles
    .filter((test) => mirrors.includes(test.file) || test.imports.has(file))
    .map((test) => test.file);
  const finders = [...finds]
    .filter(([test]) => test.startsWith(`test/${file.split('/')[1]}/`) && !near.includes(test))
    .sort(([, a], [, b]) => b - a)
    .map(([test]) => test);
  const steps = [
    { by: 'pure tests of the file', tests: near.filter((test) => purePlaces.test(test)) },
    {
      by: 'pure tests of the folder',
      tests: foldersFor(file)
        .slice(0, 1)
        .filter((folder) => purePlaces.test(folder)),
    },
    { by: 'tests of the file', tests: near.filter((test) => !purePlaces.test(test)) },
    { by: 'tests that found others', tests: finders.slice(0, 3) },
    { by: 'tests that found others', tests: finders.slice(3, 9) },
  ];
  return steps.filter(({ tests }) => tests.length > 0);
}

/** All tests of the district, and the long form of the nearest ones. */
function slowSteps(file) {
  const folders = foldersFor(file);
  const [nearest] = [...quickSteps(file).map(({ tests }) => tests), folders];
  return [
    { by: 'tests of the district', tests: folders.slice(-1) },
    { by: 'only the long form', tests: nearest, scale: '10' },
  ];
}

/** Runs tests until one fails. Returns its file, "no end" for a fault that lets them run on, or undefined. */
function failureOf(tests, scale) {
  const args = ['node_modules/jest/bin/jest.js', '--bail', '--seed=7', '-w', '1', '--silent', ...tests];
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...(scale && { TEST_SCALE: scale }) },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    killSignal: 'SIGKILL',
    timeout: Math.max(1, Math.min(end - Date.now(), 600_000)),
  });
  if (status === 0) return undefined;
  return status === null ? 'no end' : (/^FAIL .*?(test\/\S+)/m.exec(stderr)?.[1] ?? 'the start');
}

/** The same, but a test file with stores must fail twice: a busy machine may be too slow for it once. */
function sureFailureOf(tests, scale) {
  const test = failureOf(tests, scale);
  const isSure = !test?.startsWith('test/') || purePlaces.test(test);
  return isSure || failureOf([test], scale) ? test : undefined;
}

/** Plants a fault and says which of the steps finds it; undefined when the compiler does. */
function finderOf({ file, from, to, by: replacement }, stepsOf) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.slice(0, from) + replacement + text.slice(to));
  try {
    if (hasTypeFaults(file)) return undefined;
    for (const { by, tests, scale } of stepsOf(file)) {
      const test = sureFailureOf(tests, scale);
      if (Date.now() >= end) return { by: 'no time' };
      if (test?.startsWith('test/')) noteFind(test);
      if (test) return { by, test };
    }
    return { by: 'nothing' };
  } finally {
    writeFileSync(file, text);
  }
}

/** Keeps the stores running between the runs of Jest. */
async function startStores() {
  const file = 'node_modules/.cache/test-stores.json';
  const isKept = () => existsSync(file) && existsSync(`/proc/${JSON.parse(readFileSync(file, 'utf8')).pid}`);
  if (isKept()) return undefined;
  const args = ['--require', './test/support/registerTypeScript.cjs', 'test/support/keepStores.ts'];
  const stores = spawn(process.execPath, args, { stdio: 'ignore' });
  while (!isKept() && stores.exitCode === null) await setTimeout(100);
  return stores;
}

function sourcesIn(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => path.join(folder, name));
}

const counts = {};
let tried = 0;
function report({ file, from, to, by: replacement }, { by, test }) {
  const text = readFileSync(file, 'utf8');
  const line = text.slice(0, from).split('\n').length;
  const time = new Date().toISOString().slice(11, 19);
  const change = `${text.slice(from, to)} -> ${replacement}`;
  console.log(`${time} ${tried}/${MUTANTS} ${file}:${line} ${change}: ${by}${test ? ` (${test})` : ''}`);
}

const all = FOLDERS.split(',').flatMap((folder) => sourcesIn(folder).flatMap(faultsIn));
const later = [];
const quickEnd = end - Number(MINUTES) * 20_000;
const stores = await startStores();
while (tried < Number(MUTANTS) && all.length > 0 && Date.now() < quickEnd) {
  const [fault] = all.splice(number(all.length), 1);
  const found = finderOf(fault, quickSteps) ?? { by: 'the compiler' };
  if (found.by === 'nothing') later.push(fault);
  else counts[found.by] = (counts[found.by] ?? 0) + 1;
  if (found.by === 'the compiler') continue;
  tried += 1;
  report(fault, found);
}
for (const fault of later) {
  const found = Date.now() < end ? finderOf(fault, slowSteps) : { by: 'no time' };
  counts[found.by] = (counts[found.by] ?? 0) + 1;
  report(fault, found);
}
stores?.kill('SIGINT');
console.log(`Seed ${SEED}, ${tried} faults. Found by:`, counts);
process.exitCode = counts['only the long form'] ? 1 : 0;
