import { malformed, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Request } from '../route';

/** Returns the ETag header of a record; empty when only some fields of the record were read. */
export function etagHeader(doc: object): { ETag?: string } {
  const tag = recordEtag(doc);
  return tag === undefined ? {} : { ETag: tag };
}

/**
 * Refuses a change with an empty `If-Match`, before anything is read.
 * @throws ServiceError 1210
 */
export function requireTag({ headers }: Pick<Request, 'headers'>): void {
  if (headers['if-match']?.trim() === '') throw malformed(message('http.ifMatch'));
}

/**
 * Refuses to change a record unless its version is in `If-Match`.
 * @throws ServiceError 1280
 */
export function requireMatch(doc: object, { headers }: Pick<Request, 'headers'>): void {
  const wanted = headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  if (!sentTags(wanted).includes(recordEtag(doc) ?? '')) {
    throw new ServiceError('versionDiffers', message('http.changedSinceRead'));
  }
}

/** Returns the tag of a record: its version number when it has one, else the time of its last change. */
function recordEtag(doc: object): string | undefined {
  if ('version' in doc && typeof doc.version === 'number') return `"v${doc.version}"`;
  if ('updatedAt' in doc && doc.updatedAt instanceof Date) return `"t${doc.updatedAt.getTime()}"`;
  return undefined;
}

/** The encoding that a compressing proxy appends to a tag: `-gzip` (Apache), `--gzip` (Jetty), `;br` and others. */
const addedEncoding = /[-;:+]{1,2}(?:gzip|br|deflate|zstd)"$/i;

/**
 * The tags in `If-Match` or `If-None-Match` as the service made them, without what a compressing proxy added. Such a
 * proxy makes tags weak (nginx) or appends the encoding; without this, every change through it would fail with 412.
 * Tags of the service have only letters and digits.
 */
export function sentTags(header: string): string[] {
  return header.split(',').map((each) => each.trim().replace(/^W\//, '').replace(addedEncoding, '"'));
}
