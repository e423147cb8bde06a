import { Counter } from 'prom-client';
import type { BatchContext } from '#activities/state/batchContext';
import type { Outcome, PipelineRequest } from '#activities/state/pipelineRequest';
import { ServiceError } from '#base/common/errors';
import { boundedLabel } from '#base/metrics/boundedLabel';
import { builtInActivityTypes } from '#records/activities/activity';
import type { ActivityHistory } from '#records/activities/activityHistory';

const activities = new Counter({
  name: 'loyalty_activities_total',
  help: 'Activities by type and by status: Processed, Error, or Refused when no history was written',
  labelNames: ['type', 'status'],
});

/** Errors of activities. */
export const processingErrors = new Counter({
  name: 'loyalty_processing_errors_total',
  help: 'Errors of activities, by code',
  labelNames: ['code'],
});

const fired = new Counter({
  name: 'loyalty_rules_fired_total',
  help: 'Rules that fired in processed activities, by the code of the program',
  labelNames: ['program'],
});

// Each series begins with 0. Otherwise the Prometheus function `increase` would not see its first event.
for (const type of builtInActivityTypes)
  for (const status of ['Processed', 'Error']) activities.inc({ type, status }, 0);
for (const code of [1300, 2900]) processingErrors.inc({ code }, 0);

const boundedType = boundedLabel(60);
const boundedProgram = boundedLabel(200);

/** What a batch decided and committed. */
interface CountedBatch {
  requests: readonly PipelineRequest[];
  outcomes: readonly (Outcome | Error)[];
  /** The histories that the batch wrote. */
  histories: readonly Pick<ActivityHistory, 'memberID' | 'status' | 'ruleMatch'>[];
}

/** Counts what became of the requests of a durable batch. A result that is answered again does not count again. */
export function countOutcomes({ members }: Pick<BatchContext, 'members'>, batch: CountedBatch): void {
  for (const [index, request] of batch.requests.entries()) countOutcome(request, batch.outcomes[index]);
  for (const { memberID, status, ruleMatch } of batch.histories) {
    const count = status === 'Processed' ? ruleMatch.filter((match) => match.fired === true).length : 0;
    const program = count > 0 && members.get(memberID.toHexString())?.program.code;
    if (program) fired.inc({ program: boundedProgram(program) }, count);
  }
}

function countOutcome({ activity, cancel }: PipelineRequest, outcome: Outcome | Error | undefined): void {
  const type = cancel ? 'Cancellation' : boundedType(activity.type);
  if (outcome instanceof ServiceError) {
    activities.inc({ type, status: 'Refused' });
    processingErrors.inc({ code: outcome.code });
  } else if (outcome && !(outcome instanceof Error) && !outcome.replayed) {
    activities.inc({ type, status: outcome.result.errors.length > 0 ? 'Error' : 'Processed' });
    for (const { code } of outcome.result.errors) processingErrors.inc({ code });
  }
}
