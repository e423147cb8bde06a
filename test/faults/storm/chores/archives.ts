import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ArchivedPost, archiveFaults } from './archiveFaults';
import type { Chore, ChoreInput } from './chore';
import { startCommand } from './command';

const dayMs = 86_400_000;
/** The clock of the command is ahead, so that what was posted a moment ago is old. */
const clockShiftMs = 100 * dayMs;
const beforeDays = 9;

const membersMax = 6;
const roundsMax = 6;
const value = 3;

/**
 * Moves the activities of an org of its own to files while it posts and cancels there, and kills every second run. Each
 * activity stays in the database, or is in a file.
 */
export function archives(): Chore {
  const root = mkdtempSync(path.join(tmpdir(), 'loyalty-storm-archive-'));
  const posts: ArchivedPost[] = [];
  const members: string[] = [];

  async function makeMembers({ archived, insist }: ChoreInput) {
    for (let n = 0; n < membersMax; n += 1) {
      const options = { headers: { 'Idempotency-Key': `archived-${n}` } };
      const fields = { program: archived.program._id };
      const { body } = await insist('archived admin', [201], (api) => api.post('/members', fields, options));
      members.push(body._id);
    }
  }

  /** Earns points and spends them again. */
  async function earnAndSpend({ insist }: ChoreInput, member: string, mark: string) {
    for (const type of ['Accrual', 'Redemption'] as const) {
      const key = `${type}-${mark}`;
      const activity = { type, memberID: member, value, externalTxnId: key };
      // When the answer to the first is lost, the activity may be archived already.
      const { status, body } = await insist('archived client', [200, 410], (api) => api.post('/activity', activity));
      posts.push({ key, type, member, value, id: status === 200 ? body.result.data.activityId : undefined });
    }
  }

  async function cancelOne({ insist, random }: ChoreInput) {
    const open = posts.filter(({ type, id, cancel }) => type === 'Redemption' && id && !cancel);
    const post = open[random(open.length)];
    if (!post) return;
    const path = `/activity/${post.id}/cancel`;
    const { status } = await insist('archived client', [200, 410], (api) => api.post(path));
    // When the answer to the first is lost, the redemption may be cancelled and archived.
    post.cancel = status === 410 ? 'unknown' : 'done';
  }

  /** @returns the code with which the command ended; null when it was killed */
  async function archive(input: ChoreInput, isKilled: boolean, beside: () => Promise<void>): Promise<number | null> {
    const { archived, random } = input;
    const before = new Date(Date.now() + beforeDays * dayMs).toISOString().slice(0, 10);
    const args = ['write', '--before', before, '--to', root, '--org', archived.services.org.code];
    const files = readdirSync(root).length;
    const child = startCommand(archived, 'archive', args, clockShiftMs);
    const ended = once(child, 'exit');
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    const busy = (async () => {
      while (isRunning()) await beside();
    })();
    if (isKilled) {
      while (isRunning() && readdirSync(root).length === files) await sleep(2);
      await Promise.race([ended, sleep(random(300))]);
      child.kill('SIGKILL');
    }
    const [code] = await ended;
    await busy;
    return code;
  }

  return {
    name: 'archives',
    async run(input, n) {
      if (members.length === 0) await makeMembers(input);
      const many = members.map(async (member, at) => {
        for (let round = 0; round < roundsMax; round += 1) await earnAndSpend(input, member, `${n}-${at}-${round}`);
      });
      await Promise.all(many);
      let count = 0;
      await archive(input, n % 2 === 1, async () => {
        const member = members[count % membersMax] ?? '';
        await earnAndSpend(input, member, `${n}-beside-${count}`);
        if (count % 3 === 0) await cancelOne(input);
        count += 1;
      });
    },
    async faults(input) {
      try {
        const code = await archive(input, false, () => sleep(100));
        if (code !== 0) return [`the last run of the archive ended with ${code}`];
        return await archiveFaults(input.archived, root, posts);
      } finally {
        rmSync(root, { recursive: true });
      }
    },
  };
}
