import path from 'node:path';
import { filesBelow, read } from './pages';

const folder = 'docs/decisions';
const files = filesBelow(folder, '.md').filter((file) => path.basename(file) !== 'README.md');

/** A page at most. What has neither a letter nor a digit, such as the bars of a table, is no word. */
const wordsMax = 600;

/** The third line of a decision: its date and whether it still counts. */
const form =
  /^Date: \d{4}-\d{2}-\d{2}\. Status: (?:in force|(?:in part )?replaced by \[\d+\]\(\d{4}-[\w-]+\.md\)[^.]*)\./;

test('every decision begins with its number, its date and its status', () => {
  const faults = files.filter((file) => {
    const [title = '', , status = ''] = read(file).split('\n');
    return !title.startsWith(`# ${Number(path.basename(file).slice(0, 4))}. `) || !form.test(status);
  });
  expect(faults).toEqual([]);
});

test(`every decision asks a question, answers it, and has at most ${wordsMax} words`, () => {
  const faults = files.flatMap((file) => {
    const text = read(file).split('\n').slice(3).join('\n');
    const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    return words <= wordsMax && text.includes('**Question.') && text.includes('**Answer') ? [] : [`${file}: ${words}`];
  });
  expect(faults).toEqual([]);
});

test('the index has every decision once, with its title', () => {
  const listed = [...read(`${folder}/README.md`).matchAll(/^- \[(.+)\]\((\d{4}-[\w-]+\.md)\)$/gm)];
  const titles = files.map((file) => `${read(file).split('\n')[0]?.slice(2)} ${path.basename(file)}`);
  expect(listed.map(([, title, file]) => `${title} ${file}`).sort()).toEqual(titles.sort());
});
