const { spawnSync } = require('node:child_process');
const { randomInt } = require('node:crypto');
const { writeFileSync } = require('node:fs');
const { Command, InvalidArgumentError } = require('commander');
const { rows, fileOf } = require('./rows.cjs');

function wholeNumber(text) {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('not a whole number');
  return Number(text);
}

const program = new Command('npm run faults --')
  .description('Kills, freezes, fills and cuts what the service stands on, and reports what held')
  .option('--short', 'the form of which CI runs a sixth in each commit')
  .option('--minutes <n>', 'how long the storm of random faults lasts; 0: a few faults', wholeNumber, 60)
  .option('--pairs <n>', 'API processes, and as many workers, of the storm', wholeNumber, 2)
  .option('--seed <n>', 'repeats the random choices of a run', wholeNumber, randomInt(1_000_000))
  .option('--row <number...>', 'only these rows, such as L1 F6')
  .option('--storm', 'only the storm, with all its faults and chores')
  .option('--each', 'only the faults of the storm, one after the other, each alone')
  .option('--only <word...>', 'only the storm, with the faults and chores that have one of these words in their names')
  .option('--report <file>', 'writes the report to a file too')
  .parse();

const { short, minutes, pairs, seed, row, storm, each: isEach, only, report } = program.opts();
const chosen = rows.filter(({ number }) => row === undefined || row.includes(number));
if (chosen.length === 0) program.error(`no such row; there are ${rows.map(({ number }) => number).join(', ')}`);
const all = [...new Set(chosen.flatMap((each) => each.files.map(fileOf)))];
const oneFile = storm || only ? 'faults/storm' : isEach && 'faults/eachFault';
const files = oneFile ? [fileOf(oneFile)] : all;
process.stderr.write(`Seed ${seed}\n`);
if (report) writeFileSync(report, `Seed ${seed}\n`);
const env = {
  ...process.env,
  FAULTS: short ? 'short' : 'full',
  STORM_MINUTES: String(short ? 0 : minutes),
  STORM_PAIRS: String(pairs),
  STORM_SEED: String(seed),
  ...(only ? { STORM_ONLY: only.join(',') } : {}),
  ...(report ? { FAULTS_REPORT: report } : {}),
};
const jest = ['node_modules/.bin/jest', '--runTestsByPath', ...files, `--seed=${seed}`];
const reporters = ['--reporters=default', '--reporters=./test/faults/reporter.cjs'];
process.exitCode = spawnSync(process.execPath, [...jest, ...reporters], { env, stdio: 'inherit' }).status ?? 1;
