/** Values that describe a span. None of them may be personal or secret. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** How a span begins. Contexts of other spans are strings in the form of the header `traceparent`. */
export interface SpanStart {
  kind?: 'server' | 'consumer' | 'internal';
  /** The span that caused this one, mostly in another process. Absent: a new trace begins. */
  parent?: string | undefined;
  links?: readonly string[];
  attributes?: SpanAttributes;
}

/** A piece of work with its time, which the receiver of the traces shows below the span that caused it. */
export interface StartedSpan {
  /** The context of this span, for spans that it causes. */
  readonly traceparent: string;
  /** False when this trace is not recorded; then no work needs a span. */
  readonly isSampled: boolean;
  child(name: string, start?: Omit<SpanStart, 'parent'>): StartedSpan;
  /** Adds attributes; `name` replaces the name. */
  describe(attributes: SpanAttributes, name?: string): void;
  link(traceparent: string): void;
  /** Ends the span. With `failure`, such as the class of an error, it is shown as failed. */
  end(failure?: string): void;
}

/** Makes spans. A process has a tracer only when traces are sent somewhere. */
export interface Tracer {
  start(name: string, start?: SpanStart): StartedSpan;
  /** Sends what is not sent yet, for at most two seconds. It never throws. */
  close(): Promise<void>;
}

const form = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const noTrace = `00-${'0'.repeat(32)}`;

/**
 * Returns a received `traceparent` when it is valid (W3C Trace Context, version 00); else undefined. A request with
 * another one begins a new trace, as the standard says.
 */
export function validTraceparent(sent: string | undefined): string | undefined {
  if (sent === undefined || !form.test(sent)) return undefined;
  return sent.startsWith(noTrace) || sent.slice(36, 52) === '0'.repeat(16) ? undefined : sent;
}

/** Runs `work` as a child of a span, if there is one. An error ends the child as failed. */
export async function inSpan<T>(parent: StartedSpan | undefined, name: string, work: () => Promise<T>): Promise<T> {
  if (!parent) return work();
  const span = parent.child(name);
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(failureName(error));
    throw error;
  }
}

/** Names an error for a span by its class only, because messages may quote values. */
export function failureName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
