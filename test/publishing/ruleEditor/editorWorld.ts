import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePolicy, makeProgram } from '../../support/definitions';
import { openTestServer } from '../../support/server';
import { earn, writeRules } from '../rulesets/store';

/** A server with the program `shop`, whose rules `a` and `b` are in force and lie in the file `shop/earn.json`. */
export interface EditorWorld {
  server: Awaited<ReturnType<typeof openTestServer>>;
  rulesDir: string;
  /** Reads a file below the folder of rules. */
  onDisk(file: string): Promise<string>;
  close(): Promise<void>;
}

/** Opens a server with a folder of rules of its own. */
export async function openEditorWorld(): Promise<EditorWorld> {
  const rulesDir = await mkdtemp(path.join(tmpdir(), 'loyalty-rules-'));
  const server = await openTestServer({ rulesDir, ORG: 'test' });
  const { db, users } = server.services;
  const author = users.admin.principal;
  await makePolicy(db, author, await makeProgram(db, author, { code: 'shop' }));
  await writeRules(path.join(rulesDir, 'shop/earn.json'), [earn('a', 1), earn('b', 2)]);
  await server.services.ruleSets.publish(author.org);
  return {
    server,
    rulesDir,
    onDisk: (file) => readFile(path.join(rulesDir, file), 'utf8'),
    async close() {
      await server.close();
      await rm(rulesDir, { recursive: true, force: true });
    },
  };
}

/** A rule that awards these points, with a test that expects some. */
export function tested(key: string, points: number, expected: number) {
  const activity = { type: 'Accrual', value: 1 };
  const expect = { points: { Points: expected }, fired: [key] };
  return { ...earn(key, points), tests: [{ name: 'gives its points', activity, expect }] };
}
