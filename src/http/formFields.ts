import { ServiceError } from '../common/errors';

/**
 * The fields of a form; of one that is sent several times, all values in a list. One pass, however many names there are.
 * @throws ServiceError 1250 for JSON that is sent as a form
 */
export function formFields(text: string): Record<string, string | string[]> {
  // What `curl -d` says of every body. As a form it would be one field whose name, a password in it, is answered.
  if (text.startsWith('{')) {
    throw new ServiceError(
      'unsupportedMediaType',
      'The body looks like JSON: send it with Content-Type: application/json',
    );
  }
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name);
    if (Array.isArray(before)) before.push(value);
    else fields.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(fields);
}
