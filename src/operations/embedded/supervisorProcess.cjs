// @ts-check
const { spawn, spawnSync } = require('node:child_process');
const { appendFileSync, renameSync, statSync } = require('node:fs');

/**
 * Runs the servers that the service names, and starts a server again when it ends. It ends all when the service asks for
 * it (SIGTERM) or is gone in any way: that closes the channel between the two, so no file is needed to notice it. This
 * is JavaScript, so that it runs alike from the sources and from dist.
 * @typedef {import('./supervise').ServerProgram} ServerProgram
 * @typedef {import('./supervise').News} News
 */

const stopGraceMs = 10_000;
const orphanGraceMs = 2000;
const restartMs = 1000;
const logMaxBytes = 16_000_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
let isEnding = false;

/** @param {ServerProgram} program */
function run(program) {
  if (isEnding) return;
  const { name, binary, args, readyText, logFile } = program;
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  if (child.pid) tell({ name, pid: child.pid });
  let isReady = false;
  for (const output of [child.stdout, child.stderr]) {
    eachLine(output, (line) => {
      log(program, line);
      if (isReady || !line.includes(readyText)) return;
      isReady = true;
      tell({ name, isReady });
    });
  }
  let failure = '';
  child.once('error', ({ message }) => (failure = message));
  child.once('close', (code, signal) => {
    children.delete(child);
    if (isEnding) return children.size === 0 && leave();
    const cause = failure || (signal ? `ended by ${signal}` : `ended with code ${code}`);
    tell({ name, fault: `${name} (${binary}) ${isReady ? '' : 'did not start: '}${cause}; see ${logFile}` });
    setTimeout(run, restartMs, program);
  });
}

/**
 * Writes a line of a server to its log. Lines about clients lose their attributes (commands, filters, keys), because
 * only the Enterprise edition of mongod can leave them out itself. A log that is too long is renamed and replaces the
 * one renamed before.
 * @param {ServerProgram} program
 * @param {string} line
 */
function log({ logFile }, line) {
  const head = line.split(',"attr":', 1)[0] ?? '';
  const isHarmless = head === line || /"ctx":"(?:initandlisten|main|-|SignalHandler)"/.test(head);
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
  process.send?.(news, undefined, undefined, () => undefined); // the service may be gone
}

/** @param {number} graceMs how long the servers may take before they are killed */
function end(graceMs) {
  isEnding = true;
  for (const child of children) child.kill('SIGTERM');
  setTimeout(leave, graceMs);
  if (children.size === 0) leave();
}

/** Kills the process group: what is left of the servers, and this process, which leads it. */
function leave() {
  process.kill(-process.pid, 'SIGKILL');
}

// Only the user of the servers may read what they write.
process.umask(0o077);
// The servers are batch processes: data for a batch process does not interrupt its sender, with which it shares few
// processors (decision 23). Linux only.
spawnSync('chrt', ['-b', '-p', '0', String(process.pid)]);
process.on('disconnect', () => end(orphanGraceMs));
process.on('SIGTERM', () => end(stopGraceMs));
JSON.parse(process.argv[2] ?? '[]').forEach(run);
