import { readFile } from 'node:fs/promises';
import { fileText } from '#publishing/rulesets/files/fileText';
import { CommandError } from './withDatabase';

/** Reads a file of text. @throws CommandError when it is not UTF-8; the error of the file when it cannot be read */
export async function readTextFile(file: string): Promise<string> {
  const read = fileText(await readFile(file));
  if ('text' in read) return read.text;
  // The fault of UTF-16 says it already.
  const remedy = read.fault.message.includes('save it') ? '' : ': save it as UTF-8';
  throw new CommandError(`${file} ${read.fault.message}${remedy}`);
}
