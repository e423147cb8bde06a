import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type Document, deserialize } from 'bson';
import type { Chore, ChoreInput } from './chore';
import { startCommand } from './command';

/** Makes backups while everything changes, and kills every second one. Each whole one shows one moment. */
export function backups(): Chore {
  return {
    name: 'backups',
    async run(input, n) {
      const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-storm-backup-'));
      try {
        await backUp(input, path.join(folder, 'backup'), n % 2 === 1);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    faults: async () => [],
  };
}

async function backUp({ world, random }: ChoreInput, folder: string, isKilled: boolean): Promise<void> {
  const child = startCommand(world, 'backup', [folder]);
  const ended = once(child, 'exit');
  if (isKilled) {
    await Promise.race([ended, sleep(500 + random(2500))]);
    child.kill('SIGKILL');
  }
  const [code] = await ended;
  // A store that goes away meanwhile ends the command; then there is no backup.
  if (code !== 0 && existsSync(folder)) throw new Error(`a backup that ended with ${code} left a folder`);
  if (code === 0) requireOneMoment(folder);
}

/** @throws Error when the balance of a member is not what its journal adds up to in the same backup */
function requireOneMoment(folder: string): void {
  const sums = new Map<string, number>();
  for (const { member, purse, points } of documentsOf(folder, 'journal')) {
    const key = `${member} ${purse}`;
    sums.set(key, (sums.get(key) ?? 0) + points);
  }
  for (const { _id, purses = [] } of documentsOf(folder, 'members')) {
    for (const { policyId, balance } of purses) {
      const sum = sums.get(`${_id} ${policyId}`) ?? 0;
      if (sum !== balance) throw new Error(`a backup has ${balance} points of ${_id}, and entries of ${sum}`);
    }
  }
}

function documentsOf(folder: string, collection: string): Document[] {
  const file = readdirSync(folder).find((name) => name.startsWith(`${collection}.`));
  if (file === undefined) throw new Error(`a backup has no ${collection}`);
  const content = gunzipSync(readFileSync(path.join(folder, file)));
  const documents: Document[] = [];
  for (let at = 0; at < content.length; at += content.readInt32LE(at)) {
    documents.push(deserialize(content.subarray(at, at + content.readInt32LE(at))));
  }
  return documents;
}
