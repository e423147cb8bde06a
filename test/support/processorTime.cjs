const { appendFileSync, readFileSync } = require('node:fs');
const path = require('node:path');

/** Linux counts processor time in ticks, a hundred a second. */
const ticksPerSecond = 100;

/**
 * Starts to count the processor time of a test file. The result appends a line to the file that PROCESSOR_TIME names:
 * seconds in all, those in processes that the file started and that have ended, seconds from start to end, and the path.
 */
module.exports = function processorTime(testPath) {
  const { PROCESSOR_TIME } = process.env;
  if (!PROCESSOR_TIME) return () => undefined;
  const before = spent();
  const startedAt = performance.now();
  return () => {
    const { own, children } = spent();
    const ofChildren = children - before.children;
    const counts = [own - before.own + ofChildren, ofChildren, (performance.now() - startedAt) / 1000];
    const cells = [...counts.map((count) => count.toFixed(2)), path.relative(process.cwd(), testPath)];
    appendFileSync(PROCESSOR_TIME, `${cells.join('\t')}\n`);
  };
};

/** The fields 14 to 17 of /proc/self/stat, which follow the name of the process in brackets. */
function spent() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').map(Number);
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15);
  return { own: (user + system) / ticksPerSecond, children: (childrenUser + childrenSystem) / ticksPerSecond };
}
