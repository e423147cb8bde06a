import type { Response } from '../../../support/client';

/** The body of an answer that is a success. @throws when it is none */
export function taken({ status, body }: Response): Response['body'] {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
}
