import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';

/**
 * Reads the fields of a form in one pass, however many names there are. A field that is sent several times becomes a
 * list of its values.
 * @throws ServiceError 1250 for JSON that is sent as a form
 */
export function formFields(text: string): Record<string, string | string[]> {
  // `curl -d` sends every body as a form. JSON would become one field whose name is the whole text. An error would then
  // name that field, with any password in it.
  if (text.startsWith('{')) {
    throw new ServiceError('unsupportedMediaType', message('http.bodyLooksLikeJson'));
  }
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name);
    if (Array.isArray(before)) before.push(value);
    else fields.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(fields);
}
