import { readdir } from 'node:fs/promises';

/** Codes of the other orgs that have a folder `@<org>` in a rules folder; none when it cannot be read. */
export async function orgsIn(rulesDir: string): Promise<string[]> {
  const entries = await readdir(rulesDir).catch((): string[] => []);
  return entries.flatMap((name) => (name.startsWith('@') ? [name.slice(1)] : [])).sort();
}
