import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '#base/common/systemError';
import { type Check, type Deployment, type Finding, failure } from './check';
import { definitionChecks } from './definitionChecks';
import { hostChecks } from './hostChecks';
import { identifierChecks } from './identifierChecks';
import { keyChecks } from './keyChecks';
import { mongodbChecks } from './mongodbChecks';
import { redisChecks } from './redisChecks';
import { rulesChecks } from './rulesChecks';
import { storeChecks } from './storeChecks';

/** The checks of each subject. */
const subjects: readonly (readonly Check[])[] = [
  mongodbChecks,
  redisChecks,
  hostChecks,
  storeChecks,
  rulesChecks,
  keyChecks,
  identifierChecks,
  definitionChecks,
];

/** Every check, in the order of the report. */
export const checks: readonly Check[] = subjects.flat();

/** A finding with the name of its check. */
export interface Report extends Finding {
  name: string;
}

/** How long one check may take, in milliseconds. */
const checkMaxMs = 8000;

/**
 * Runs checks, each bounded in time: checks of a subject one after the other, the subjects side by side. One that
 * cannot be run is a failure that says why.
 */
export async function runChecks(at: Deployment, lists: readonly (readonly Check[])[] = subjects): Promise<Report[]> {
  return (await Promise.all(lists.map((list) => runList(at, list)))).flat();
}

async function runList(at: Deployment, list: readonly Check[]): Promise<Report[]> {
  const reports: Report[] = [];
  for (const check of list) reports.push({ name: check.name, ...(await bounded(check, at)) });
  return reports;
}

async function bounded(check: Check, at: Deployment): Promise<Finding> {
  const over = new AbortController();
  const late = sleep(checkMaxMs, failure(`no answer in ${checkMaxMs / 1000} s`, again), { signal: over.signal });
  try {
    return await Promise.race([
      Promise.resolve(at).then((input) => check.run(input)),
      late.catch(() => failure('', again)),
    ]);
  } catch (error) {
    return failure(`it could not be checked: ${errorMessage(error).split('\n')[0]}`, again);
  } finally {
    over.abort();
  }
}

const again = 'Bring MongoDB and Redis back, or give their user the right to look, then run this again.';
