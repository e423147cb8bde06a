// @ts-check
const { spawn, spawnSync } = require('node:child_process');
const { appendFileSync, renameSync, statSync } = require('node:fs');

/**
 * Runs the servers that the service names, and starts a server again when it ends. It ends all servers when the service
 * asks for it (SIGTERM) or is gone in any way. The end of the service closes the channel between the two, so no file is
 * needed to notice it. This is JavaScript, so that it runs alike from the sources and from dist.
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
  // The server has a process group of its own, so that its child processes end with it.
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
    // When a restart fails too, the service is not told again.
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
 * Writes a line of a server to its log. Lines about clients lose their attributes (commands, filters, keys), because
 * only the Enterprise edition of mongod can leave them out itself. A log that is too long is renamed and replaces the
 * one renamed before.
 * @param {Run} program
 * @param {string} line
 */
function log({ logFile, logsValues }, line) {
  const head = line.split(',"attr":', 1)[0] ?? '';
  const isHarmless = !logsValues || head === line || /"ctx":"(?:initandlisten|main|-|SignalHandler)"/.test(head);
  try {
    if (Number(statSync(logFile, { throwIfNoEntry: false })?.size) > logMaxBytes) renameSync(logFile, `${logFile}.1`);
    appendFileSync(logFile, `${isHarmless ? line : `${head}}`}\n`);
  } catch {
    // The disk is full or the folder was removed. The servers run on without a log.
  }
}

/**
 * Splits an output at line feeds only, because other line ends may occur in what clients sent.
 * @param {import('node:stream').Readable} output
 * @param {(line: string) => void} onLine
 */
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

// Only the user of the servers may read what they write.
process.umask(0o077);
// The servers are batch processes: data for a batch process does not interrupt its sender, with which it shares few
// processors (decision 23). Linux only.
spawnSync('chrt', ['-b', '-p', '0', String(process.pid)]);
process.on('message', (/** @type {Run} */ program) => run(program));
process.on('disconnect', () => end(orphanGraceMs));
process.on('SIGTERM', () => end(stopGraceMs));
