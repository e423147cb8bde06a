import type { Document } from 'bson';
import type { Outcome, PipelineRequest } from '#activities/state/pipelineRequest';
import { elapsedMs } from '#base/common/clock';
import { type ErrorDetails, type ErrorName, ServiceError } from '#base/common/errors';
import { type Message, pickMessage } from '#base/common/messages/message';

/** A request as one process hands it to another. */
type Call = Omit<PipelineRequest, 'endsAt' | 'versions' | 'span'> & {
  /** How long the client still waits, in milliseconds. */
  leftMs: number;
};

/** What becomes of a call: an outcome or an error. */
interface Reply {
  outcome?: Outcome;
  error?: Message & { reason: ErrorName; details: ErrorDetails };
}

/**
 * Tells whether a request can be handed over: a client waits for it, and its every part stays the same as a BSON
 * document.
 */
export function canBeHandedOver({ endsAt, submissionId, cancel }: PipelineRequest): boolean {
  return endsAt !== undefined && submissionId === undefined && cancel?.validate === undefined;
}

/**
 * The call for a request. It leaves out what was read of the org: the other process reads it itself, and so by its own
 * clock.
 */
export function callOf({ endsAt = 0, versions: _read, span: _own, ...request }: PipelineRequest): Document {
  return { ...request, leftMs: endsAt - elapsedMs() } satisfies Call;
}

/**
 * The request of a call.
 * @param isGone tells whether the caller has stopped waiting
 */
export function requestOf(call: Document, isGone: () => boolean): PipelineRequest {
  const { leftMs, ...request } = call as Call;
  return { ...request, endsAt: elapsedMs() + leftMs, isGone };
}

export function replyOf(result: Outcome | ServiceError): Document {
  if (!(result instanceof ServiceError)) return { outcome: result } satisfies Reply;
  const { reason, details } = result;
  return { error: { ...pickMessage(result), reason, details } } satisfies Reply;
}

/** The outcome of a reply. @throws the ServiceError of the other process */
export function outcomeOf(reply: Document): Outcome {
  const { outcome, error } = reply as Reply;
  if (error) throw new ServiceError(error.reason, error, error.details);
  return outcome as Outcome;
}
