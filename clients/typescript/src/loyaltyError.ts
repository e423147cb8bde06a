/** A message of the service in English, with what a translation needs. */
interface Message {
  message: string;
  /** The id of the message. */
  messageId?: string;
  /** Parts of the message that differ, by name. */
  params?: Readonly<Record<string, unknown>>;
}

/** A field of a request that the service refused. */
export interface FieldError extends Message {
  /** The kind of fault, such as `required`, `reference` or `unique`. */
  kind: string;
  /** The dotted path of the field. */
  path: string;
}

/** The body of an answer that is an error. */
interface ErrorBody extends Partial<Message> {
  code?: number;
  requestId?: string;
  errors?: FieldError[];
  mergedInto?: string;
}

/** An error that the service answered. */
export class LoyaltyError extends Error {
  override readonly name = 'LoyaltyError';
  /** The application code, such as 1200 for a body with faults; 0 when the answer had no body of the service. */
  readonly code: number;
  /** The HTTP status. */
  readonly status: number;
  /** The id of the message, for translations. */
  readonly messageId: string | undefined;
  /** Parts of the message that differ, by name. */
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined;
  /** The failing fields; empty unless `code` is 1200. */
  readonly errors: readonly FieldError[];
  /** The survivor of a merged member. */
  readonly mergedInto: string | undefined;

  constructor(response: Response, body: unknown) {
    const known: ErrorBody = isObject(body) ? body : {};
    const { code = 0, message, messageId, params, requestId, errors = [], mergedInto } = known;
    super(message ?? `HTTP ${response.status}`);
    this.messageId = messageId;
    this.params = params;
    this.code = code;
    this.status = response.status;
    this.requestId = requestId ?? response.headers.get('x-request-id') ?? undefined;
    this.errors = errors;
    this.mergedInto = mergedInto;
  }
}

function isObject(value: unknown): value is ErrorBody {
  return typeof value === 'object' && value !== null;
}

/** What a call of the client resolves to. */
interface Called<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * The body of an answer: `const member = await result(client.GET('/api/v1/members/{id}', …))`.
 * @throws LoyaltyError when the service answered an error
 */
export async function result<T>(called: Called<T> | Promise<Called<T>>): Promise<T> {
  const { data, error, response } = await called;
  if (!response.ok) throw new LoyaltyError(response, error);
  return data as T;
}
