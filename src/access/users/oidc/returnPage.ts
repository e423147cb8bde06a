import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';

const home = '/console/';
const charsMax = 500;
const segment = /^[\w~-][\w.~-]*$/;
const argumentsOfPage = /^[\w.~=&%-]*$/;

/**
 * Returns the page of the console to which a sign-in leads; its first page by default.
 * @throws ServiceError 1210 for any other address, so that nobody can send users elsewhere by a link to the sign-in
 */
export function returnPage(returnTo: string | undefined): string {
  if (returnTo === undefined) return home;
  if (returnTo.length > charsMax || !isOfConsole(returnTo)) throw malformed(message('users.returnTo'));
  return returnTo;
}

function isOfConsole(address: string): boolean {
  const [path = '', query = '', ...more] = address.split('?');
  const [start, root, ...segments] = path.split('/');
  const named = segments.at(-1) === '' ? segments.slice(0, -1) : segments;
  const isPath = start === '' && root === 'console' && named.every((each) => segment.test(each));
  return isPath && argumentsOfPage.test(query) && more.length === 0;
}
