import type { Logger } from 'pino';
import type { RuleFault } from '../../rules/source/ruleSource';
import type { LoadResult } from './ruleLoad';

/** Maximum number of faults in one log line. */
const loggedMax = 20;

/** Writes the result of a load to the log, in words that a program manager understands. */
export function logLoad(log: Logger, { folder }: { folder: string }, result: LoadResult): void {
  const { version } = result;
  switch (result.kind) {
    case 'published':
      log.info({ version, warnings: lines(result.warnings) }, `rule set ${version} is in force`);
      return;
    case 'refused':
      log.error(
        { version, faults: result.errors.length, errors: lines(result.errors) },
        `the rule files are refused; ${inForceText(version)}`,
      );
      return;
    case 'empty':
      log.warn({ version }, `there are no rule files in ${folder}: nothing is published; ${inForceText(version)}`);
      return;
    case 'unchanged':
      log.info({ version }, `the rule files are unchanged; ${inForceText(version)}`);
      return;
    default:
      result.kind satisfies never;
  }
}

/** A fault as a line: `file:line:column message`. */
export function faultLine({ file, line, column, message }: RuleFault): string {
  return `${file}:${line}:${column} ${message}`;
}

function lines(faults: RuleFault[]): string[] {
  return faults.slice(0, loggedMax).map(faultLine);
}

function inForceText(version: number | undefined): string {
  return version === undefined ? 'no rules are in force' : `rule set ${version} stays in force`;
}
