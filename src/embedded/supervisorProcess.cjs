// @ts-check
const { spawn, spawnSync } = require('node:child_process');
const { appendFileSync, renameSync, statSync } = require('node:fs');

/**
 * Runs the servers that the service sends it, starts one again that ends, and ends them when the service asks for it
 * (SIGTERM) or is gone, however it went: the channel between the two closes with it, and no file is needed to see that.
 * JavaScript, so that it runs alike from the sources and from dist.
 * @typedef {import('./supervisor').Run} Run
 * @typedef {import('./supervisor').News} News
 */

const stopGraceMs = 10_000;
const orphanGraceMs = 2000;
const restartMs = 1000;
const logMaxBytes = 16_000_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
let isEnding = false;

/** @param {Run} program */
function run(program) {
  if (isEnding) return;
  // A group of its own, so that what the server has forked ends with it.
  const child = spawn(program.binary, program.args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  if (child.pid) tell({ name: program.name, pid: child.pid });
  let isReady = false;
  const onLine = (/** @type {string} */ line) => {
    log(program, line);
    if (isReady || !line.includes(program.readyText)) return;
    isReady = true;
    program.isKept = true;
    tell({ name: program.name, isReady });
  };
  for (const output of [child.stdout, child.stderr]) eachLine(output, onLine);
  let failure = '';
  child.once('error', ({ message }) => (failure = message));
  child.once('close', (code, signal) => {
    children.delete(child);
    if (isEnding) return leave();
    // One that does not come up again is told once.
    if (isReady || !program.isKept)
      tell({
        name: program.name,
        isReady: false,
        ended: failure || (signal ? `ended by ${signal}` : `ended with code ${code}`),
      });
    if (program.isKept) setTimeout(run, restartMs, program);
  });
}

/**
 * Of lines about clients the attributes (commands, filters, keys) are left out: mongod itself can do that in its
 * Enterprise edition alone. A long log is put aside over the one before.
 * @param {Run} program @param {string} line
 */
function log({ logFile, logsValues }, line) {
  const head = line.split(',"attr":', 1)[0] ?? '';
  const isHarmless = !logsValues || head === line || /"ctx":"(?:initandlisten|main|-|SignalHandler)"/.test(head);
  try {
    if (Number(statSync(logFile, { throwIfNoEntry: false })?.size) > logMaxBytes) renameSync(logFile, `${logFile}.1`);
    appendFileSync(logFile, `${isHarmless ? line : `${head}}`}\n`);
  } catch {
    // The disk is full or the folder was removed: the servers go on.
  }
}

/** At line feeds alone: other ends of lines may stand in what clients sent. @param {import('node:stream').Readable} output @param {(line: string) => void} onLine */
function eachLine(output, onLine) {
  let rest = '';
  output.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
  });
}

/** @param {News} news */
function tell(news) {
  if (process.connected) process.send?.(news, undefined, undefined, () => undefined);
}

/** @param {number} graceMs how long the servers may take before they are killed */
function end(graceMs) {
  isEnding = true;
  for (const child of children) child.kill('SIGTERM');
  setTimeout(() => {
    for (const { pid } of children) if (pid) process.kill(-pid, 'SIGKILL');
  }, graceMs);
  leave();
}

function leave() {
  if (children.size === 0) process.exit();
}

// What the servers write is their user's alone.
process.umask(0o077);
// What a batch process is sent does not interrupt the sender, who shares few processors with it (decision 23); Linux only.
spawnSync('chrt', ['-b', '-p', '0', String(process.pid)]);
process.on('message', (/** @type {Run} */ program) => run(program));
process.on('disconnect', () => end(orphanGraceMs));
process.on('SIGTERM', () => end(stopGraceMs));
