import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../src/app';
import { serve } from '../../src/serve';
import { openBenchWorld } from './benchWorld';

const source = path.resolve(__dirname, '../../src');

/** Requests before those that are looked at: what is done at the first one only does not count. */
const before = 3;

/** Requests that are looked at: what runs in some of them only is a timer's. */
const looked = 3;

/**
 * The files of the service that one sync accrual runs through, rules fired and committed: those with a function that was
 * called between two requests, as V8 counts it. A file whose constants alone are read runs nothing.
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
    const runs: Set<string>[] = [];
    for (let n = 0; n < looked; n += 1) {
      await session.post('Profiler.takePreciseCoverage');
      await post();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      runs.push(new Set(result.filter(({ functions }) => functions.some(isCalled)).flatMap(({ url }) => fileOf(url))));
    }
    const [first = new Set<string>(), ...others] = runs;
    return tableOf([...first].filter((file) => others.every((run) => run.has(file))).sort());
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

/** The function of the module itself runs when it is loaded, and begins where the file begins. */
function isCalled({ functionName, ranges }: Profiler.FunctionCoverage): boolean {
  return ranges[0]?.startOffset !== 0 && !isExport(functionName) && ranges.some(({ count }) => count > 0);
}

/** The compiler of tests gives an export by a getter, so that reading a constant looks like a call; what is built has none. */
function isExport(functionName: string): boolean {
  return /^get(?: |$)/.test(functionName);
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
