import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The repository. */
export const root = path.resolve(__dirname, '../..');

/** The text of a file of the repository. */
export function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** All files below a folder of the repository whose names end so. */
export function filesBelow(folder: string, end: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => path.posix.join(folder, file));
}

/** The cells of the table that stands below a heading of a Markdown text, without its head. */
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

/** What a cell names in back quotes. */
export function namesIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
