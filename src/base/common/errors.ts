import { type Message, message, type Params, pickMessage } from './messages/message';

/** Every application error code that a client can get, with its HTTP status (SPEC "Errors", docs/design/errors.md). */
export const errorCodes = {
  loginIncorrect: { code: 1110, status: 401 },
  unauthenticated: { code: 1120, status: 401 },
  forbidden: { code: 1130, status: 403 },
  ownProposal: { code: 1140, status: 403 },
  validation: { code: 1200, status: 422 },
  malformed: { code: 1210, status: 400 },
  methodNotAllowed: { code: 1220, status: 405 },
  notAcceptable: { code: 1230, status: 406 },
  tooLarge: { code: 1240, status: 413 },
  unsupportedMediaType: { code: 1250, status: 415 },
  rateLimited: { code: 1260, status: 429 },
  inFlight: { code: 1270, status: 409 },
  versionDiffers: { code: 1280, status: 412 },
  decided: { code: 1290, status: 409 },
  database: { code: 1300, status: 500 },
  unavailable: { code: 1310, status: 503 },
  notFound: { code: 1500, status: 404 },
  gone: { code: 1510, status: 410 },
  archived: { code: 1520, status: 410 },
  archivedPeriod: { code: 1521, status: 410 },
} as const;

export type ErrorName = keyof typeof errorCodes;

/** One failing field of a body: what is wrong, the kind of error, and the dotted path of the field. */
export interface FieldError extends Message {
  kind: string;
  path: string;
}

/** What an error may carry beyond its code and message. */
export interface ErrorDetails {
  /** Failing fields; answered with code 1200. */
  errors?: FieldError[];
  /** Infrastructure error by class name and code only, never its message; answered with code 1300. */
  error?: { name: string; code?: string | number };
  /** The survivor of a merged member; answered with code 1510. */
  mergedInto?: string;
  /** What became of each program when rule files have faults: codes of programs; answered with code 1200. */
  programs?: { published: string[]; kept: string[]; withoutRules: string[] };
  /** Response headers, such as `Allow` or `Retry-After`. */
  headers?: Record<string, string>;
}

/** An error that a client caused or has to know. It is answered as the error object of SPEC "Error object". */
export class ServiceError extends Error {
  readonly code: number;
  readonly status: number;
  readonly messageId?: string;
  readonly params?: Params;

  constructor(
    readonly reason: ErrorName,
    { message: text, messageId, params }: Message,
    readonly details: ErrorDetails = {},
  ) {
    super(text);
    this.name = 'ServiceError';
    if (messageId !== undefined) this.messageId = messageId;
    if (params !== undefined) this.params = params;
    this.code = errorCodes[reason].code;
    this.status = errorCodes[reason].status;
  }
}

/** An error as an entry of a list, such as `errors` of a result or `error` of a row. */
export function errorEntry(error: ServiceError) {
  const { code, status, details } = error;
  return { code, ...pickMessage(error), status, ...(details.errors ? { errors: details.errors } : {}) };
}

/** The most failing fields that an answer names. */
export const fieldErrorsMax = 100;

/** Makes the 422 answer that names every failing field, at most {@link fieldErrorsMax}. */
export function validationError(errors: FieldError[], more: Pick<ErrorDetails, 'programs'> = {}): ServiceError {
  return new ServiceError('validation', message('http.validation'), {
    errors: errors.slice(0, fieldErrorsMax),
    ...more,
  });
}

/** Makes the 422 answer for one failing field. */
export function invalidField(path: string, kind: string, fault: Message): ServiceError {
  return validationError([{ ...fault, kind, path }]);
}

/** Makes the 404 answer for a record that does not exist or belongs to another org. */
export function notFound(what: string): ServiceError {
  return new ServiceError('notFound', message('http.notFound', { what }));
}

/** Makes the 400 answer for a malformed path, query argument or body. */
export function malformed(fault: Message): ServiceError {
  return new ServiceError('malformed', fault);
}

/** Makes the 503 answer to a request that may succeed when the client sends it again a second later. */
export function unavailable(reason: Message): ServiceError {
  return new ServiceError('unavailable', reason, { headers: { 'Retry-After': '1' } });
}
