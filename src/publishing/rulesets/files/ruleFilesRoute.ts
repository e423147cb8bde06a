import { readLimits } from './readFiles';

/** The limits of a route whose body has rule files. */
export const ruleFilesRoute = { bodyMaxBytes: readLimits.totalMaxBytes, answerMaxMs: readLimits.answerMaxMs } as const;

/** A route that only looks at the rule files of its body. */
export const checkedFilesRoute = { ...ruleFilesRoute, key: 'changesNothing' } as const;
