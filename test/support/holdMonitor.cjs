// A process that a test measures requires this file. It reports over IPC the longest time for which the main thread
// held the event loop, and how much processor time it used in all.
const { mainThreadMs } = require('./mainThread.cjs');

const tickMs = 2;

let last = mainThreadMs();
let begun = last;
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
    begun = last;
    process.send({ longestMs, usedMs: 0, peakBytes });
  } else if (message === 'end') {
    tick();
    process.send({ longestMs, usedMs: last - begun, peakBytes });
  }
});
process.channel.unref();
