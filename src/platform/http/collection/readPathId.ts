import { ObjectId } from 'bson';
import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Request } from '../route';

/**
 * Returns the id in the path of a request, by default from the parameter `id`.
 * @throws ServiceError 1210 when it is not an id
 */
export function readPathId({ params }: Request, name = 'id'): ObjectId {
  const id = params[name] ?? '';
  if (!/^[0-9a-f]{24}$/i.test(id)) throw malformed(message('http.pathHexId', { name }));
  return new ObjectId(id);
}
