import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../common/systemError';
import { type Check, type Deployment, type Finding, failure } from './check';
import { hostChecks } from './hostChecks';
import { mongodbChecks } from './mongodbChecks';
import { redisChecks } from './redisChecks';
import { rulesChecks } from './rulesChecks';
import { storeChecks } from './storeChecks';

/** Every check, in the order of the report. */
export const checks: readonly Check[] = [
  ...mongodbChecks,
  ...redisChecks,
  ...hostChecks,
  ...storeChecks,
  ...rulesChecks,
];

/** A finding with the name of its check. */
export interface Report extends Finding {
  name: string;
}

/** How long one check may take, in milliseconds. */
const checkMaxMs = 8000;

/** Runs checks, side by side and each bounded in time. One that cannot be run is a failure that says why. */
export async function runChecks(at: Deployment, list: readonly Check[] = checks): Promise<Report[]> {
  return Promise.all(list.map(async (check) => ({ name: check.name, ...(await bounded(check, at)) })));
}

async function bounded(check: Check, at: Deployment): Promise<Finding> {
  const over = new AbortController();
  const late = sleep(checkMaxMs, failure(`no answer in ${checkMaxMs / 1000} s`, again), { signal: over.signal });
  try {
    return await Promise.race([
      Promise.resolve(at).then((given) => check.run(given)),
      late.catch(() => failure('', again)),
    ]);
  } catch (error) {
    return failure(`it could not be checked: ${messageOf(error).split('\n')[0]}`, again);
  } finally {
    over.abort();
  }
}

const again = 'Bring MongoDB and Redis back, or give their user the right to look, then run this again.';
