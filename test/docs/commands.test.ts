import path from 'node:path';
import { scripts } from '../../package.json';
import { filesBelow, read, tableBelow } from './pages';

const page = read('docs/commands.md');
const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
/** The first cell of each row: the commands. */
const cells = sections.flatMap((heading) => tableBelow(page, heading).map(([first = '']) => first));

/** Scripts that other scripts call. */
const inner = ['built', 'tools'];

test('every script of package.json is in docs/commands.md', () => {
  const named = cells.flatMap((cell) => [...cell.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name = '']) => name));
  expect(Object.keys(scripts).filter((name) => !inner.includes(name) && !named.includes(name))).toEqual([]);
});

test('every script that a document names is in package.json', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs', '.md'), ...filesBelow('rules', '.md')];
  const named = documents.flatMap((file) =>
    [...read(file).matchAll(/`npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test('every subcommand is in docs/commands.md, in a row of its script', () => {
  const within = filesBelow('src/commands', '.ts').flatMap((file) =>
    [...read(file).matchAll(/\.command\('([\w-]+)/g)].map(([, name = '']) => ({
      script: path.basename(file, '.ts'),
      name,
    })),
  );
  const isNamed = ({ script, name }: (typeof within)[number]) =>
    cells.some((cell) => cell.includes(`npm run ${script} `) && new RegExp(`\\b${name}\\b`).test(cell));
  expect(within.length).toBeGreaterThan(20);
  expect(within.filter((each) => !isNamed(each))).toEqual([]);
});
