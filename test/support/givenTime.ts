import { mainThreadMs } from './mainThread.cjs';

/** Milliseconds of the reference work on the machine for which the time limits of tests were chosen. */
const referenceMs = 11;

/** Does work of the same kinds as the service: texts, objects and numbers. Only its duration is used. */
function referenceWork(): number {
  let sum = 0;
  for (let n = 0; n < 40; n += 1) {
    const list = Array.from({ length: 400 }, (_unused, at) => ({
      at,
      name: `name ${at % 17}`,
      values: [n, at, n * at],
    }));
    const read: typeof list = JSON.parse(JSON.stringify(list));
    sum += read.filter(({ name }) => name.endsWith('7')).reduce((total, { values }) => total + (values[2] ?? 0), 0);
  }
  return sum;
}

let measured: number | undefined;

/**
 * How many times slower than the reference this machine is, at least 1. Limits of time are multiplied by it. Takes the
 * quickest of several runs, because other processes can only slow a run down.
 */
export function slowness(): number {
  measured ??= Math.max(1, Math.min(...sortedRuns(() => performance.now())) / referenceMs);
  return measured;
}

/**
 * How many times slower than the reference a main thread is at this moment, at least 1, by its CPU time. What shares its
 * processor and caches slows it down too, so this is the median of several runs.
 */
export function slownessNow(): number {
  const runs = sortedRuns(mainThreadMs);
  return Math.max(1, (runs[Math.floor(runs.length / 2)] ?? 0) / referenceMs);
}

function sortedRuns(now: () => number): number[] {
  const runs = Array.from({ length: 5 }, () => {
    const startedAt = now();
    referenceWork();
    return now() - startedAt;
  });
  return runs.sort((a, b) => a - b);
}

const tickMs = 10;

/**
 * Starts a stopwatch. Reading it stops it and returns milliseconds as on the reference machine. Time in which a busy
 * machine ran other processes does not count, so that a time limit measures only the service.
 */
export function stopwatch(): () => number {
  let counted = 0;
  let last = now();
  const count = () => {
    const { wallMs, cpuMs } = now();
    counted += Math.min(wallMs - last.wallMs, Math.max(2 * tickMs, cpuMs - last.cpuMs));
    last = { wallMs, cpuMs };
  };
  const timer = setInterval(count, tickMs).unref();
  return () => {
    count();
    clearInterval(timer);
    return counted / slowness();
  };
}

function now() {
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 };
}
