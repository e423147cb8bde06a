import type { LineSampler } from '#base/common/lineSampler';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { Submission } from '#records/activities/submission';
import type { StoredRequest } from './acceptSubmissions';

/**
 * Logs one line for a processed submission, which names the request that posted it. Lines without an error are sampled
 * like the lines of requests.
 */
export function logProcessed(
  { log, lines, clock }: Pick<Infrastructure, 'log' | 'clock'> & { lines: LineSampler },
  submission: Submission,
  { errors, durationMs }: { errors: readonly { code: number }[]; durationMs: number },
): void {
  if (!log.isLevelEnabled('info')) return;
  const [error] = errors;
  if (!error && !log.isLevelEnabled('debug') && !lines.admits()) return;
  const { activity, cancel } = submission.request as StoredRequest;
  const line = {
    ...submissionFields(submission),
    type: cancel ? 'Cancellation' : activity.type,
    ...(error ? { code: error.code } : {}),
    waitedMs: clock.now().getTime() - submission.acceptedAt.getTime(),
    durationMs: Math.round(durationMs * 10) / 10,
  };
  log.info(line, 'submission processed');
}

/**
 * The fields by which support finds a submission in the log: the id of the request that posted it, its own id and its
 * key.
 */
export function submissionFields({ _id, key, request }: Submission) {
  const { origin } = request as StoredRequest;
  return { requestId: origin?.requestId, submission: _id, key: key.slice(0, keyCharsMax) };
}

const keyCharsMax = 100;
