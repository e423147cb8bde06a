// Required by a process that a test measures: tells over IPC for how long its main thread let nothing else run.
const { readFileSync } = require('node:fs');

const tickMs = 2;

/** Milliseconds of CPU that the main thread had: what other processes and threads of the machine do does not count. */
function mainThreadMs() {
  const [onCpuNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(onCpuNs) / 1e6;
}

let last = mainThreadMs();
let longestMs = 0;
let peakBytes = 0;

function tick() {
  const now = mainThreadMs();
  longestMs = Math.max(longestMs, now - last);
  last = now;
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
}

setInterval(tick, tickMs).unref();

process.on('message', (message) => {
  if (message === 'begin') {
    [longestMs, peakBytes, last] = [0, 0, mainThreadMs()];
    process.send({ longestMs, peakBytes });
  } else if (message === 'end') {
    tick();
    process.send({ longestMs, peakBytes });
  }
});
process.channel.unref();
