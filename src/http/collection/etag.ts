import { malformed, ServiceError } from '../../common/errors';
import type { Request } from '../route';

/** The ETag header of a record; none when only some of its fields are there. */
export function etagHeader(doc: object): { ETag?: string } {
  const tag = etagOf(doc);
  return tag === undefined ? {} : { ETag: tag };
}

/**
 * Refuses a change whose `If-Match` names nothing, before anything is read.
 * @throws ServiceError 1210
 */
export function requireTag({ headers }: Pick<Request, 'headers'>): void {
  if (headers['if-match']?.trim() === '') throw malformed('If-Match must name a version, or be *');
}

/**
 * Refuses to change a record that is no longer the one the client has seen, when he names that by `If-Match`.
 * @throws ServiceError 1280
 */
export function requireMatch(doc: object, { headers }: Pick<Request, 'headers'>): void {
  const wanted = headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  const tags = wanted.split(',').map((tag) => tag.trim());
  if (!tags.includes(etagOf(doc) ?? '')) {
    throw new ServiceError('versionDiffers', 'The record has changed since it was read');
  }
}

/** The version of a record that counts its changes, else the time of the last one. */
function etagOf(doc: object): string | undefined {
  if ('version' in doc && typeof doc.version === 'number') return `"v${doc.version}"`;
  if ('updatedAt' in doc && doc.updatedAt instanceof Date) return `"t${doc.updatedAt.getTime()}"`;
  return undefined;
}
