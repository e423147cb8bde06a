import type { Failure } from './replicaSet';
import { drawn } from './scale';

/** A write concern error: the write has taken effect, but maybe on no majority. */
export const writeConcernError = (code: number) => ({ writeConcernError: { code, errmsg: 'made to fail' } });

/** The ways in which a commit can fail. With a write concern error, the commit has taken effect. */
const failures: Record<string, Omit<Failure, 'failCommands'>> = {
  'no majority in time': writeConcernError(64),
  'too slow for the majority': writeConcernError(50),
  'too slow': { errorCode: 50 },
  'the connection is closed': { closeConnection: true },
  'not the primary': { errorCode: 10107 },
  'interrupted by a change of state': { errorCode: 11602 },
  'no such transaction': { errorCode: 251, errorLabels: ['TransientTransactionError'] },
};

/** How often in a row a command fails: 20 times, and one of the others by chance. The long form has all. */
export function someTimes(others: readonly number[]): number[] {
  return [20, ...drawn(others)];
}

/** Every failure, several times in a row: once, 20 times, or as often as a commit is tried. */
export const commitCases = Object.entries(failures).flatMap(([name, failure]) =>
  someTimes([1, 200]).map((times) => ({ name, times, failure })),
);

/** Every failure one time, 20 or another number of times in a row by chance; the long form has all cases. */
export const someCommitCases = Object.keys(failures).flatMap((failed) => {
  const each = commitCases.filter(({ name }) => name === failed);
  return drawn(each);
});
