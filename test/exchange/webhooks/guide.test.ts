import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectId } from 'bson';
import { openWebhookWorld } from '../../support/webhookWorld';

const root = path.resolve(__dirname, '../../..');
const guide = readFileSync(path.join(root, 'docs/guide.md'), 'utf8');
const [, code = ''] = /## Webhooks[\s\S]*?```js\n([\s\S]*?)```/.exec(guide) ?? [];

/** Starts the receiver of docs/guide.md. It says which events it processed. */
async function startReceiver(secret: string, port: number) {
  const child = spawn(process.execPath, ['-e', code], {
    cwd: root,
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  await once(reader, 'line');
  return {
    port: Number(lines[0]?.split(' ')[1]),
    processed: () => lines.slice(1),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('the receiver of the guide verifies and processes each event once, and gets the events of its downtime', async () => {
  const world = await openWebhookWorld();
  const { services, server } = world;
  const { _id, secret } = await world.addWebhook({ status: 'Paused' });
  const first = await startReceiver(secret, 0);
  await server.as('admin').put(`/webhooks/${_id}`, { url: `http://127.0.0.1:${first.port}/`, status: 'Active' });
  const members = [new ObjectId(), new ObjectId()] as const;
  await world.commit(members[0]);
  await world.deliver();
  // A replay has the same id.
  await server.as('admin').post(`/webhooks/${_id}/replay`, { from: '2026-01-01T00:00:00.000Z' });
  await world.deliver();
  await first.kill();
  await world.commit(members[1]);
  await world.deliver();
  const second = await startReceiver(secret, first.port);
  services.clock.advance(5000);
  await world.deliver();
  const forged = await fetch(`http://127.0.0.1:${second.port}/`, { method: 'POST', body: '{}' });
  while (second.processed().length === 0) await sleep(5);
  await second.kill();
  await world.close();
  expect(first.processed()).toEqual([`member.created ${members[0]}`]);
  expect([second.processed(), forged.status]).toEqual([[`member.created ${members[1]}`], 401]);
});
