import type { Failure } from './replicaSet';
import { testScale } from './scale';

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

/** How often in a row a commit fails: 20 times, and by chance (the long form does both) once or as often as it is tried. */
const someTimes = () => [20, ...(testScale > 1 ? [1, 200] : [Math.random() < 0.5 ? 1 : 200])];

/** Every failure, several times in a row. */
export const commitCases = Object.entries(failures).flatMap(([name, failure]) =>
  someTimes().map((times) => ({ name, times, failure })),
);
