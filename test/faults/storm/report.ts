import { appendFileSync } from 'node:fs';

/** Writes a line of the report to the standard error, and to the file that FAULTS_REPORT names. */
export function report(line: string): void {
  process.stderr.write(`${line}\n`);
  if (process.env.FAULTS_REPORT) appendFileSync(process.env.FAULTS_REPORT, `${line}\n`);
}
