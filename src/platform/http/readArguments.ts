import { malformed, type ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { isBracketed, singleArguments } from '#base/query/singleArguments';
import { listsOfWords, type Route } from './route';

/** The argument that asks to evaluate a body before its use (SPEC "Pre-processing of request bodies"). */
const preprocessArgument = 'preprocess';

/** The query arguments of a request. */
interface Arguments {
  /** Those of the route. Each occurs once. */
  query: Record<string, string>;
  /** The request asks to evaluate its body before its use. */
  asksToPreprocess: boolean;
}

/**
 * Makes the reader of a route's query arguments.
 * @returns a function that throws ServiceError 1210 when an argument is unknown, missing, given twice or unreadable
 */
export function createReadArguments(route: Route): (querystring: string) => Arguments {
  const { query: known = {}, openQuery } = route;
  const required = Object.keys(known).filter((name) => known[name]?.required);
  const lists = listsOfWords(route);
  const bracketed = Object.keys(known).filter((name) => known[name]?.isBracketed);
  const flags = new Set(Object.keys(known).filter((name) => known[name]?.schema.type === 'boolean'));
  return (querystring) => {
    const all = querystring === '' ? {} : singleArguments(new URLSearchParams(querystring), lists, bracketed);
    for (const [name, value] of Object.entries(all)) {
      if (name === preprocessArgument) requirePreprocessable(route, value);
      else if (bracketed.includes(name)) throw malformed(message('http.argumentKeyed', { name }));
      else if (isBracketed(name, bracketed)) continue;
      else if (!openQuery && !Object.hasOwn(known, name)) throw unknownArgument(name);
      else if (flags.has(name)) requireFlag(name, value);
    }
    for (const name of required) {
      if (!Object.hasOwn(all, name)) throw malformed(message('http.argumentRequired', { name }));
    }
    const { [preprocessArgument]: preprocessed, ...query } = all;
    return { query, asksToPreprocess: preprocessed === 'true' };
  };
}

/**
 * A lookup reads with the permissions of a user, so open routes do not know the argument. Routes without a body accept
 * it, and it has no effect there.
 */
function requirePreprocessable({ permission }: Route, value: string): void {
  if (permission === 'open') throw unknownArgument(preprocessArgument);
  requireFlag(preprocessArgument, value);
}

function requireFlag(name: string, value: string): void {
  if (value !== 'true' && value !== 'false') throw malformed(message('http.argumentBoolean', { name }));
}

function unknownArgument(name: string): ServiceError {
  return malformed(message('http.argumentUnknown', { name: JSON.stringify(name.slice(0, 100)) }));
}
