const { appendFileSync } = require('node:fs');
const path = require('node:path');
const { rows, fileOf } = require('./rows.cjs');

/** Prints, after all tests, for each row of docs/reliability.md whether its tests passed, and how long they took. */
module.exports = class FaultsReporter {
  onRunComplete(_contexts, { testResults, numPassedTests, numFailedTests }) {
    const byFile = new Map(testResults.map((result) => [path.relative(process.cwd(), result.testFilePath), result]));
    const lines = rows.flatMap(({ number, promise, files }) => {
      const results = files.map((name) => byFile.get(fileOf(name))).filter(Boolean);
      if (results.length === 0) return [];
      const sum = (field) => results.reduce((total, result) => total + result[field], 0);
      const [passed, failed] = [sum('numPassingTests'), sum('numFailingTests')];
      const seconds = results.reduce((total, { perfStats: { start, end } }) => total + (end - start) / 1000, 0);
      const part = results.length < files.length ? ` in ${results.length} of ${files.length} files` : '';
      const verdict = failed > 0 || passed === 0 ? 'FAILED' : `holds${part}`;
      return `| ${number} | ${promise} | ${verdict} | ${passed} | ${failed} | ${Math.round(seconds)} s |`;
    });
    const table = ['', '| row | promise | | passed | failed | time |', '|---|---|---|---:|---:|---:|', ...lines];
    const text = `${table.join('\n')}\n\n${numPassedTests} passed, ${numFailedTests} failed\n`;
    process.stderr.write(text);
    if (process.env.FAULTS_REPORT) appendFileSync(process.env.FAULTS_REPORT, text);
  }
};
