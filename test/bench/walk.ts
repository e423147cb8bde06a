import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../src/app';
import { serve } from '../../src/serve';
import { openBenchWorld } from './benchWorld';

const source = path.resolve(__dirname, '../../src');

/** Requests before the one that is looked at: what is done at the first one only does not count. */
const before = 3;

/**
 * The files of the service that one sync accrual runs through, rules fired and committed: those with a function that was
 * called between two requests, as V8 counts it.
 * @returns rows of a table: the folders and their files
 */
export async function measureWalk(): Promise<string[]> {
  const world = await openBenchWorld();
  const api = await serve(world.services, createApp(world.services));
  const session = new Session();
  session.connect();
  try {
    const post = () => postAccrual(api.url, world.token, world.members[0]?._id);
    for (let n = 0; n < before; n += 1) await post();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await post();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const files = result.filter(({ functions }) => functions.some(isCalled)).flatMap(({ url }) => fileOf(url));
    return tableOf([...new Set(files)].sort());
  } finally {
    session.disconnect();
    await api.close();
    await world.close();
  }
}

async function postAccrual(url: string, token: string, memberID: unknown): Promise<void> {
  const answer = await fetch(`${url}/api/v1/activity`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ type: 'Accrual', memberID, value: 10 }),
  });
  const { result } = (await answer.json()) as { result: { errors: unknown[] } };
  if (answer.status !== 200 || result.errors.length > 0) throw new Error(`the accrual was answered ${answer.status}`);
}

/** The function of the module itself runs when it is loaded. */
function isCalled({ functionName, ranges }: { functionName: string; ranges: { count: number }[] }): boolean {
  return functionName !== '' && ranges.some(({ count }) => count > 0);
}

function fileOf(url: string): string[] {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  return file.startsWith(`${source}${path.sep}`) ? [path.relative(source, file)] : [];
}

function tableOf(files: readonly string[]): string[] {
  const folders = [...new Set(files.map((file) => path.dirname(file)))];
  const rows = folders.map((folder) => {
    const own = files.filter((file) => path.dirname(file) === folder).map((file) => path.basename(file, '.ts'));
    return `| ${folder} | ${own.length} | ${own.join(', ')} |`;
  });
  return ['| folder | files | which |', '|---|---:|---|', ...rows, `| all | ${files.length} | |`];
}
