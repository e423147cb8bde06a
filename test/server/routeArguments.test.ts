import type { TSchema } from '@sinclair/typebox';
import { readableFields } from '#base/query/fields';
import { parseQuery } from '#base/query/parseQuery';
import { createReadArguments } from '#platform/http/readArguments';
import { listsOfWords, type Route } from '#platform/http/route';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';

/** The arguments of every route, as the mount reads them. test/platform/http/everyManner sends some of them. */
const named = allRoutes.map((route) => [`${route.method} ${route.path}`, route] as const);

/** Reads the required arguments of a route and those that are sent. @returns them, or the error */
function reading(route: Route, besides: string, ...sent: string[]) {
  const { query = {} } = route;
  const required = Object.keys(query).filter((name) => name !== besides && query[name]?.required);
  const others = required.map((name) => `${name}${query[name]?.isBracketed ? '[a]' : ''}=${wordsOf(query[name])[0]}`);
  try {
    return createReadArguments(route)([...others, ...sent].join('&'));
  } catch (error) {
    return error as { query?: undefined; asksToPreprocess?: undefined };
  }
}

/** The first words that an argument takes, at most two. */
function wordsOf({ schema }: { schema?: Partial<TSchema> } = {}): string[] {
  const { anyOf, items, type, enum: words } = schema ?? {};
  if (anyOf ?? items) return wordsOf({ schema: anyOf?.[0] ?? items });
  return type === 'boolean' ? ['true', 'false'] : (words ?? ['a', 'b']).slice(0, 2);
}

/** Every argument of every route, with a title. */
const all = named.flatMap(([title, route]) =>
  Object.entries(route.query ?? {}).map(
    ([name, argument]) => ({ title: `${title} ${name}`, route, name, argument }) as const,
  ),
);
const isList = ({ route, name }: (typeof all)[number]) => listsOfWords(route).includes(name);
const flags = all.filter(({ argument }) => argument.schema.type === 'boolean');
const refused = (message: unknown) => expect.objectContaining({ status: 400, code: 1210, message });

test('the service has many arguments of each kind', () => {
  expect(all.length).toBeGreaterThan(600);
  expect([all.filter(isList).length > 200, flags.length > 5]).toEqual([true, true]);
});

test('a list of words may be sent in one argument or in several', () => {
  for (const { title, route, name, argument } of all.filter(isList)) {
    const words = wordsOf(argument);
    const together = reading(route, name, `${name}=${words.join()}`);
    const apart = reading(route, name, ...words.map((word) => `${name}=${word}`));
    const read = [together.query?.[name], apart.query?.[name]];
    expect([title, ...read]).toEqual([title, words.join(), words.join()]);
  }
});

test('no other argument may be sent twice', () => {
  for (const { title, route, name, argument } of all.filter((each) => !isList(each))) {
    const error = reading(route, name, `${name}=1`, `${name}=1`);
    const message = argument.isBracketed ? expect.any(String) : expect.stringContaining('twice');
    expect([title, error]).toEqual([title, refused(message)]);
  }
});

test('a flag is true or false, and nothing else', () => {
  for (const { title, route, name } of flags) {
    for (const value of ['AAA', '', '1', 'True']) {
      const error = reading(route, name, `${name}=${value}`);
      expect([title, error]).toEqual([title, refused(`Argument ${name} must be true or false`)]);
    }
    const read = ['true', 'false'].map((value) => reading(route, name, `${name}=${value}`).query?.[name]);
    expect([title, ...read]).toEqual([title, 'true', 'false']);
  }
});

test('a missing required argument is refused and named', () => {
  for (const { title, route, name } of all.filter(({ argument }) => argument.required)) {
    expect([title, reading(route, name)]).toEqual([title, refused(expect.stringContaining(name))]);
  }
});

test('the query language accepts each word of the arguments of a list', () => {
  const tables = new Map(resources.map((resource) => [`/${resource.path}`, readableFields(resource)]));
  const lists = all.filter((each) => isList(each) && each.route.openQuery && tables.has(each.route.path));
  expect(lists.length).toBeGreaterThan(150);
  for (const { title, route, name, argument } of lists) {
    const { anyOf = [argument.schema] }: Partial<TSchema> = argument.schema;
    const words: string[] = anyOf.flatMap(({ items }: TSchema) => items?.enum ?? []);
    const fields = tables.get(route.path);
    const unread = words.filter((word) => fields && thrown(() => parseQuery({ [name]: word }, fields)) !== undefined);
    expect([title, unread]).toEqual([title, []]);
  }
});

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
}

test('a route refuses unknown arguments, except that lists accept any field', () => {
  for (const [title, route] of named) {
    const read = reading(route, '', 'colour=red');
    if (route.openQuery) expect([title, read.query?.colour]).toEqual([title, 'red']);
    else expect([title, read]).toEqual([title, refused(expect.stringContaining('colour'))]);
  }
});

test('preprocess is true or false on every route that is not open', () => {
  for (const [title, route] of named) {
    const [yes, ...others] = ['yes', 'true', 'false'].map((value) => reading(route, '', `preprocess=${value}`));
    const read = others.map(({ asksToPreprocess }) => asksToPreprocess);
    const expected = route.permission === 'open' ? [undefined, undefined] : [true, false];
    expect([title, yes, ...read]).toEqual([title, refused(expect.any(String)), ...expected]);
  }
});
