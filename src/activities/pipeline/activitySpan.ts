import type { Outcome, PipelineRequest } from '#activities/state/pipelineRequest';
import { failureName, type StartedSpan, type Tracer } from '#base/tracing/tracer';

/** A request that waits, and the functions that settle its promise. */
export interface Waiting {
  request: PipelineRequest;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Starts the span of a request that waits. It ends with the outcome of the request. */
export function withActivitySpan(tracer: Tracer, parent: string, { request, resolve, reject }: Waiting): Waiting {
  const { activity, cancel, partition } = request;
  const type = cancel ? 'Cancellation' : activity.type;
  const span = tracer.start('activity', {
    // A worker processes what an HTTP request posted earlier. That request has ended, so it is also a link.
    kind: partition === undefined ? 'internal' : 'consumer',
    parent,
    links: partition === undefined ? [] : [parent],
    attributes: { 'loyalty.activity_type': type },
  });
  return {
    request: { ...request, span },
    resolve(outcome) {
      describe(span, outcome);
      span.end();
      resolve(outcome);
    },
    reject(error) {
      span.end(failureName(error));
      reject(error);
    },
  };
}

function describe(span: StartedSpan, { result, replayed }: Outcome): void {
  span.describe({
    'loyalty.activity_id': String(result.data.activityId),
    'loyalty.status': String(result.data.status),
    'loyalty.replayed': replayed,
    ...(result.errors[0] ? { 'loyalty.error_code': result.errors[0].code } : {}),
  });
}

/**
 * Starts the span of a batch when the trace of one of its requests is recorded. Its parent is the first of them, and it
 * is linked with all of them in both directions, because the batch does the work of all.
 */
export function startBatchSpan(requests: readonly PipelineRequest[]): StartedSpan | undefined {
  const spans = requests.flatMap(({ span }) => span ?? []);
  const [first, ...others] = spans;
  if (!first) return undefined;
  const links = spans.map(({ traceparent }) => traceparent);
  const batch = first.child('batch', { links, attributes: { 'loyalty.batch_size': requests.length } });
  for (const other of others) other.link(batch.traceparent);
  return batch;
}
