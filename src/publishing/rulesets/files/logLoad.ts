import type { Logger } from 'pino';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import type { LoadResult } from './ruleLoad';

/** Maximum number of faults in one log line. */
const loggedMax = 20;

/** Writes the result of a load to the log, in words that a program manager understands. */
export function logLoad(log: Logger, { folder }: { folder: string }, result: LoadResult): void {
  const { version, warnings } = result;
  if (warnings.length > 0)
    log.warn({ warnings: lines(warnings) }, `the rule files have warnings: ${firstFaultText(warnings)}`);
  const ofPrograms = warnings.length > 0 ? 'of a program ' : '';
  switch (result.kind) {
    case 'published':
      log.info({ version }, `rule set ${version} is in force`);
      break;
    case 'refused':
      break;
    case 'empty':
      log.warn(
        { version },
        `there are no rule files ${ofPrograms}in ${folder}: nothing is published; ${inForceText(version)}`,
      );
      break;
    case 'unchanged':
      log.info({ version }, `the rule files are unchanged; ${inForceText(version)}`);
      break;
    default:
      result.kind satisfies never;
  }
  logRefused(log, result);
}

function logRefused(log: Logger, { kind, version, errors, programs }: LoadResult): void {
  if (!programs) return;
  const { kept, withoutRules } = programs;
  const text =
    kind === 'refused'
      ? `the rule files are refused; ${inForceText(version)}`
      : 'the rule files of some programs are refused; the rules of these programs stay as they were';
  log.error({ version, kept, withoutRules, faults: errors.length, errors: lines(errors) }, text);
  for (const program of withoutRules) {
    log.error({ program }, `no rule of "${program}" is in force: its rule files are refused, so it awards nothing`);
  }
}

/** A fault as a line: `file:line:column message`. */
export function faultLine({ file, line, column, message }: RuleFault): string {
  return `${file}:${line}:${column} ${message}`;
}

function lines(faults: RuleFault[]): string[] {
  return faults.slice(0, loggedMax).map(faultLine);
}

function firstFaultText([first, ...more]: RuleFault[]): string {
  return `${first ? faultLine(first) : ''}${more.length > 0 ? `, and ${more.length} more` : ''}`;
}

function inForceText(version: number | undefined): string {
  return version === undefined ? 'no rules are in force' : `rule set ${version} stays in force`;
}
