import { readdir } from 'node:fs/promises';

/** The codes of orgs with a folder `@<org>` in a rules folder. Empty when the rules folder cannot be read. */
export async function orgsIn(rulesDir: string): Promise<string[]> {
  const entries = await readdir(rulesDir).catch((): string[] => []);
  return entries.flatMap((name) => (name.startsWith('@') ? [name.slice(1)] : [])).sort();
}
