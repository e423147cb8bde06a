import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { fillDemo } from '#operations/demo/fillDemo';
import { startProcess } from '../support/processes';
import { openTestServer } from '../support/server';
import { testPassword } from '../support/services';
import { guideScript, guideSteps, shown } from './guideSteps';

const root = path.resolve(__dirname, '../..');
const steps = guideSteps(readFileSync(path.join(root, 'docs/guide.md'), 'utf8'));

test('every call of the guide answers what the guide shows', async () => {
  const server = await openTestServer({ rulesDir: path.join(root, 'rules'), ORG: 'test' });
  await fillDemo(server.services, server.services.org);
  await server.services.ruleSets.start();
  const worker = await startProcess('workers/main.ts', server.services.config);
  const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-guide-'));
  try {
    const { username } = server.services.users.admin;
    const settings = { BASE: `${server.url}/api/v1`, LOGIN: username, PASSWORD: testPassword };
    await promisify(execFile)('bash', ['-c', guideScript(steps, settings)], { cwd: folder });
    const answers = steps.map(({ expected }, index) =>
      expected === undefined ? undefined : JSON.parse(readFileSync(path.join(folder, String(index)), 'utf8')),
    );
    expect(steps.length).toBeGreaterThan(10);
    expect(answers).toEqual(steps.map(({ expected }) => (expected === undefined ? undefined : shown(expected))));
  } finally {
    rmSync(folder, { recursive: true });
    await worker.stop();
    await server.close();
  }
});
