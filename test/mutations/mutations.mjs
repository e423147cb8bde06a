// Plants faults in the sources, one at a time, and says which of them the tests find: `node test/mutations/mutations.mjs`.
// It changes files of this checkout and restores them, so nothing else may run in it. Settings: SEED draws the faults,
// MUTANTS is their number (200), MINUTES the time after which it ends (60), FOLDERS where they are (src/engine,
// src/activities, src/records/points/expiry). A fault that the tests do not find by default is tried again with TEST_SCALE=10: what only that finds
// was lost by drawing, and makes the exit code 1.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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

/** The test files of the nearest folder that mirrors the source; further ones only when these find nothing. */
function testsOf(file) {
  const places = [];
  for (let folder = path.dirname(file).replace(/^src/, 'test'); folder !== 'test'; folder = path.dirname(folder)) {
    if (existsSync(folder)) places.push(`${folder}/`);
  }
  return places;
}

function isFound(tests, scale) {
  const { status } = spawnSync('npx', ['jest', '--bail', '--seed=7', '--maxWorkers=2', '--silent', tests], {
    env: { ...process.env, ...(scale && { TEST_SCALE: scale }) },
    stdio: 'ignore',
    timeout: Math.max(1, end - Date.now()),
  });
  return status === null ? undefined : status !== 0;
}

function foundBy({ file, from, to, by }) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.slice(0, from) + by + text.slice(to));
  try {
    for (const tests of testsOf(file)) {
      const found = isFound(tests);
      if (found === undefined) return 'no time';
      if (found) return tests;
    }
    const [nearest] = testsOf(file);
    const found = isFound(nearest, '10');
    return found === undefined ? 'no time' : found ? 'only the long form' : 'nothing';
  } finally {
    writeFileSync(file, text);
  }
}

function sourcesIn(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => path.join(folder, name));
}

const all = FOLDERS.split(',').flatMap((folder) => sourcesIn(folder).flatMap(faultsIn));
const counts = {};
for (let n = 0; n < Number(MUTANTS) && Date.now() < end; n += 1) {
  const [fault] = all.splice(number(all.length), 1);
  const by = foundBy(fault);
  const line = readFileSync(fault.file, 'utf8').slice(0, fault.from).split('\n').length;
  const was = readFileSync(fault.file, 'utf8').slice(fault.from, fault.to);
  console.log(`${fault.file}:${line} ${was} -> ${fault.by}: ${by}`);
  const kind = by.startsWith('test/') ? 'found' : by;
  counts[kind] = (counts[kind] ?? 0) + 1;
}
console.log(counts);
process.exitCode = counts['only the long form'] ? 1 : 0;
