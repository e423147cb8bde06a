import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The path of the repository. */
export const root = path.resolve(__dirname, '../..');

/** Returns the text of a file of the repository. */
export function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** Returns all files below a folder of the repository whose names end with `end`. */
export function filesBelow(folder: string, end: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => path.posix.join(folder, file));
}

/** Returns the cells of the table below a heading of a Markdown text, without the head of the table. */
export function tableBelow(text: string, heading: string): string[][] {
  const section = text.split(/^(?=#+ )/m).find((each) => each.startsWith(`## ${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

/** Returns the texts in back quotes of a cell. */
export function namesIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
