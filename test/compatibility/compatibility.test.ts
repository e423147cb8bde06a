import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { openApi } from '#platform/http/openApi/openApi';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';
import { scaled } from '../support/scale';
import { breaksBetween, type Node } from './breaksBetween';

const released: Node = JSON.parse(gunzipSync(readFileSync(path.join(__dirname, 'released.json.gz'))).toString());
const present: Node = openApi({ routes: allRoutes, resources, version: '0' });
const changelog = readFileSync(path.join(__dirname, '../../CHANGELOG.md'), 'utf8');

test('a client made for the last release keeps working, or CHANGELOG.md says what breaks', () => {
  expect(Object.keys(released.paths).length).toBeGreaterThan(90);
  expect(breaksBetween(released, present).filter((each) => !changelog.includes(each))).toEqual([]);
});

/** The objects of a document that a change may concern, with the place at which a break must be found. */
function operations(document: Node): { method: string; path: string; operation: Node }[] {
  return Object.entries<Node>(document.paths).flatMap(([at, methods]) =>
    Object.entries<Node>(methods).map(([method, operation]) => ({ method, path: at, operation })),
  );
}

const copy = (): Node => structuredClone(released);
const resolvedIn = (document: Node, schema: Node): Node =>
  schema?.$ref
    ? schema.$ref
        .split('/')
        .slice(1)
        .reduce((node: Node, name: string) => node[name], document)
    : schema;
const bodyOf = (document: Node, { requestBody }: Node) =>
  resolvedIn(document, requestBody?.content?.['application/json']?.schema);
const answerOf = (document: Node, { responses }: Node) => {
  const [, answer] = Object.entries<Node>(responses).find(([status]) => status < '300') ?? [];
  const schema = resolvedIn(document, answer?.content?.['application/json']?.schema);
  return schema?.items ? resolvedIn(document, schema.items) : schema;
};

/** Each change takes an operation of a copied document and changes it; it returns false where it does not apply. */
type Change = (document: Node, operation: Node, pick: (max: number) => number) => boolean;

const someOf = (all: readonly string[], pick: (max: number) => number): string | undefined => all[pick(all.length)];

const breaking: Record<string, Change> = {
  'an argument is removed': (_, operation, pick) => {
    if (!operation.parameters?.length) return false;
    operation.parameters.splice(pick(operation.parameters.length), 1);
    return true;
  },
  'an argument is added that is required': (_, operation) => {
    operation.parameters = [...(operation.parameters ?? []), { in: 'query', name: 'novel', required: true }];
    return true;
  },
  'a field of a body becomes required': (document, operation, pick) => {
    const body = bodyOf(document, operation);
    const optional = Object.keys(body?.properties ?? {}).filter((name) => !body.required?.includes(name));
    const name = someOf(optional, pick);
    if (name === undefined) return false;
    body.required = [...(body.required ?? []), name];
    return true;
  },
  'a field of a body is removed': (document, operation, pick) => {
    const body = bodyOf(document, operation);
    const name = someOf(Object.keys(body?.properties ?? {}), pick);
    if (name === undefined || body.additionalProperties !== false) return false;
    delete body.properties[name];
    return true;
  },
  'a field of an answer is removed': (document, operation, pick) => {
    const answer = answerOf(document, operation);
    const name = someOf(Object.keys(answer?.properties ?? {}), pick);
    if (name === undefined || Object.keys(answer.properties).length < 2) return false;
    delete answer.properties[name];
    answer.required = answer.required?.filter((each: string) => each !== name);
    return true;
  },
  'a field of an answer may be missing': (document, operation, pick) => {
    const answer = answerOf(document, operation);
    const name = someOf(answer?.required ?? [], pick);
    if (name === undefined) return false;
    answer.required = answer.required.filter((each: string) => each !== name);
    return true;
  },
  'an answer has another status': (_, operation) => {
    const [status] = Object.keys(operation.responses).filter((each) => each < '300');
    if (status === undefined) return false;
    operation.responses['299'] = operation.responses[status];
    delete operation.responses[status];
    return true;
  },
};

const harmless: Record<string, Change> = {
  'an argument is added': (_, operation) => {
    operation.parameters = [...(operation.parameters ?? []), { in: 'query', name: 'novel', required: false }];
    return true;
  },
  'a field of a body is added': (document, operation) => {
    const body = bodyOf(document, operation);
    if (!body?.properties) return false;
    body.properties.novel = { type: 'string' };
    return true;
  },
  'a field of an answer is added': (document, operation) => {
    const answer = answerOf(document, operation);
    if (!answer?.properties) return false;
    answer.properties.novel = { type: 'string' };
    return true;
  },
  'a field of a body becomes optional': (document, operation, pick) => {
    const body = bodyOf(document, operation);
    // The same schema in an answer would be a break.
    if (!body?.required?.length || answerOf(document, operation) === body) return false;
    body.required.splice(pick(body.required.length), 1);
    return true;
  },
};

const all = operations(released);
const places = fc.record({ at: fc.nat(all.length - 1), pick: fc.nat(10_000) });

/** Makes the change at a place of a copy; undefined where it does not apply. */
function changed(change: Change, { at, pick }: { at: number; pick: number }): Node {
  const document = copy();
  const { operation } = operations(document)[at] ?? {};
  return change(document, operation, (max) => (max > 0 ? pick % max : -1)) ? document : undefined;
}

describe('a break is found wherever it is', () => {
  it.each(Object.entries(breaking))('when %s', (_, change) => {
    let made = 0;
    fc.assert(
      fc.property(places, (place) => {
        const document = changed(change, place);
        fc.pre(document !== undefined);
        made += 1;
        expect(breaksBetween(released, document)).not.toEqual([]);
      }),
      { numRuns: scaled(12), maxSkipsPerRun: 200 },
    );
    expect(made).toBeGreaterThan(0);
  });

  it('when an operation is removed, with its name', () => {
    for (const { method, path: at } of all.filter((_, n) => n % 20 === 0)) {
      const document = copy();
      delete document.paths[at][method];
      expect(breaksBetween(released, document)).toEqual([`${method.toUpperCase()} ${at} is gone`]);
    }
  });

  it.each(Object.entries(harmless))('but not when %s', (_, change) => {
    fc.assert(
      fc.property(places, (place) => {
        const document = changed(change, place);
        fc.pre(document !== undefined);
        expect(breaksBetween(released, document)).toEqual([]);
      }),
      { numRuns: scaled(12), maxSkipsPerRun: 200 },
    );
  });
});
