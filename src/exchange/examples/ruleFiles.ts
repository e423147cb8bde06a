import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeProgramFolder } from '#publishing/rulesets/files/orgRoot';
import type { Example } from './readExample';

/** A rule file of an example, and the file that a load makes of it. */
export interface ExampleRuleFile {
  content: Buffer;
  /** Absolute path below RULES_DIR. */
  target: string;
  /** What is at `target` now: nothing, the same, or another content. */
  present: 'none' | 'same' | 'different';
}

/**
 * Reads the rule files of an example and compares them with those of the org.
 * @param orgFolder absolute path of the folder with the program folders of the org
 */
export async function readRuleFiles(
  { programs, rulesFolder }: Pick<Example, 'programs' | 'rulesFolder'>,
  orgFolder: string,
): Promise<ExampleRuleFile[]> {
  const read = programs.map(async (program) => {
    const names = (await readdir(path.join(rulesFolder, program))).filter((name) => /\.(?:json|csv)$/.test(name));
    // Tables come first, so that no rule file is in place before its table.
    const sorted = names.sort((a, b) => path.extname(a).localeCompare(path.extname(b)) || (a < b ? -1 : 1));
    return Promise.all(
      sorted.map((name) => compared(path.join(rulesFolder, program, name), path.join(orgFolder, program, name))),
    );
  });
  return (await Promise.all(read)).flat();
}

async function compared(source: string, target: string): Promise<ExampleRuleFile> {
  const content = await readFile(source);
  const there = await readFile(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!there) return { content, target, present: 'none' };
  return { content, target, present: there.equals(content) ? 'same' : 'different' };
}

/**
 * Writes the files that are not the same yet. A reader never sees a part of a file.
 * @param orgFolder absolute path of the folder with the program folders of the org
 * @throws LeavesFolder when a link leads out of it
 */
export async function writeRuleFiles(files: readonly ExampleRuleFile[], orgFolder: string): Promise<void> {
  for (const { content, target, present } of files) {
    if (present === 'same') continue;
    await makeProgramFolder(orgFolder, path.dirname(target));
    const unfinished = `${target}.new`;
    await writeFile(unfinished, content);
    await rename(unfinished, target);
  }
}
