import { malformed } from '../../common/errors';

const home = '/console/';
const place = /^\/console(?:\/[\w~-][\w.~-]*)*\/?(?:\?[\w.~=&%-]*)?$/;

/**
 * Returns the page of the console to which a sign-in leads; its first page by default.
 * @throws ServiceError 1210 for any other address, so that nobody can send users elsewhere by a link to the sign-in
 */
export function returnPlace(returnTo: string | undefined): string {
  if (returnTo === undefined) return home;
  if (returnTo.length > 500 || !place.test(returnTo)) throw malformed('returnTo must be a path of the console');
  return returnTo;
}
