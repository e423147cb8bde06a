const { readFileSync } = require('node:fs');

/** Returns the CPU time of the main thread in milliseconds (Linux). Work of other processes and threads does not count. */
exports.mainThreadMs = function mainThreadMs() {
  const [onCpuNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(onCpuNs) / 1e6;
};
