/** Milliseconds that the work below takes on the machine that the limits of tests were chosen on. */
const referenceMs = 11;

/** Of no use to anybody: text, objects and numbers, in the mix that the service has. */
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

/** How many times slower than the reference this machine is, at least 1: limits of time are multiplied by it. */
export function slowness(): number {
  const runs = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    referenceWork();
    return performance.now() - startedAt;
  });
  measured ??= Math.max(1, Math.min(...runs) / referenceMs);
  return measured;
}

const tickMs = 10;

/**
 * Counts milliseconds in which this process had its turns or worked, until it is read last. What a busy machine gave to
 * others does not count, so that a limit of time says something of the service and nothing of its surroundings.
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
