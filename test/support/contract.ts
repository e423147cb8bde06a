import type { ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { pathTemplates } from '#platform/http/openApi/openApi';
import { allRoutes } from '#server/routes';
import { quickAjv } from './quickAjv';

/** A schema, or any other object of the document. */
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own names
type Node = any;

/** The documented parts of a request and its answer. */
export interface Exchange {
  method: string;
  url: URL;
  status: number;
  contentType: string | null;
  body: unknown;
}

/** Checks answers against the OpenAPI document of the service that gave them. */
export interface Contract {
  /** Throws an error that names the difference when the answer is not as documented. */
  check(exchange: Exchange): void;
}

/** Contracts by the ETags of their documents. Most services have the same document, and its schemas compile slowly. */
const contractsByTag = new Map<string, Contract>();

/** Asks the service at this URL for its document, which is sent only when it is not known, and returns its contract. */
export async function readContract(baseUrl: string): Promise<Contract> {
  const known = [...contractsByTag.keys()].join(', ');
  const headers = { 'Accept-Encoding': 'identity', ...(known && { 'If-None-Match': known }) };
  const response = await fetch(`${baseUrl}/openapi.json`, { headers });
  const tag = response.headers.get('etag') ?? '';
  // The body is read in any case, because the connection is free for others only then.
  const text = await response.text();
  // A busy machine may answer so at any time.
  if (response.status === 503) return readContract(baseUrl);
  const contract = contractsByTag.get(tag) ?? contractOf(JSON.parse(text));
  if (response.ok) contractsByTag.set(tag, contract);
  return contract;
}

/** Makes the contract of a document. Each schema is compiled at its first use. */
export function contractOf(document: Node): Contract {
  const ajv = quickAjv();
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const validator = (pointer: string) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  const find = operationFinder(document);
  return {
    check(exchange) {
      const pointer = schemaPointer(document, find, exchange);
      if (pointer === undefined) return;
      const validate = validator(pointer);
      if (validate(exchange.body)) return;
      fail(exchange, `${ajv.errorsText(validate.errors)}\nof ${JSON.stringify(exchange.body)?.slice(0, 2000)}`);
    },
  };
}

type Find = (path: string) => { template: string; item: Node } | undefined;

/** Returns the JSON pointer of the schema that the body must match; undefined when there must be no body. */
function schemaPointer(document: Node, find: Find, exchange: Exchange): string | undefined {
  const { method, url, status } = exchange;
  const found = find(url.pathname.replace(/(.)\/$/, '$1'));
  const isHead = method === 'HEAD';
  const operation = found?.item[isHead ? 'get' : method.toLowerCase()];
  // There is no operation for OPTIONS, an undocumented method or an unknown path.
  if (!operation) return unmatchedPointer(exchange, found !== undefined);
  const own = operation.responses[status];
  if (!own) fail(exchange, `documented are ${Object.keys(operation.responses)}`);
  const place = `#/paths/${pointerOf(found?.template ?? '')}/${isHead ? 'get' : method.toLowerCase()}/responses/${status}`;
  const pointer: string = own.$ref ?? place;
  const { content } = own.$ref ? document.components.responses[own.$ref.split('/').at(-1)] : own;
  if (isHead) return undefined;
  return content ? contentPointer(exchange, content, pointer) : requireEmpty(exchange);
}

function contentPointer(exchange: Exchange, content: Node, pointer: string): string | undefined {
  const type = (exchange.contentType ?? '').split(';')[0] ?? '';
  const documented = [type, type.replace(/\/.*/, '/*')].find((each) => content[each]);
  if (documented === undefined) return fail(exchange, `its type ${type} is not documented`);
  const schema = `${pointer}/content/${pointerOf(documented)}/schema`;
  // The schema is that of whole records; with these arguments it only says whether the answer is a list.
  const isWhole = !['select', 'populate', 'distinct'].some((name) => exchange.url.searchParams.has(name));
  if (isWhole || exchange.method !== 'GET') return schema;
  if ((content[documented].schema.type === 'array') !== Array.isArray(exchange.body)) fail(exchange, 'no such list');
  return undefined;
}

function unmatchedPointer(exchange: Exchange, isKnownPath: boolean): string | undefined {
  const { method, status } = exchange;
  if (method === 'OPTIONS' && status === 204) return requireEmpty(exchange);
  const expected = isKnownPath ? 405 : 404;
  // Malformed HTTP and invalid ids are refused with 400 before the method is checked.
  if (status !== expected && status !== 400) fail(exchange, `expected ${expected}`);
  return method === 'HEAD' ? undefined : `#/components/responses/Error${status}/content/application~1json/schema`;
}

function requireEmpty(exchange: Exchange): undefined {
  if (exchange.body !== undefined) fail(exchange, 'a body is not documented');
  return undefined;
}

function fail({ method, url, status, body }: Exchange, why: string): never {
  const answer = JSON.stringify(body)?.slice(0, 500);
  throw new Error(
    `The answer ${status} to ${method} ${url.pathname}${url.search} is not as documented: ${why}\n${answer}`,
  );
}

function pointerOf(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/**
 * Finds the path item of a path, or of a route's other path, which the document leaves out. When several match, it takes
 * the one with the fewest parameters, as the service does.
 */
function operationFinder(document: Node): Find {
  const documented = Object.keys(document.paths).map((template) => ({ template, asked: template }));
  const others = allRoutes.flatMap((route) => {
    const [template = '', ...rest] = pathTemplates(route);
    return rest.map((requested) => ({ template, asked: requested }));
  });
  const templates = [...documented, ...others]
    .sort((left, right) => left.asked.split('{').length - right.asked.split('{').length)
    .map(({ template, asked: requested }) => ({
      template,
      item: document.paths[template],
      expression: expressionOf(requested),
    }));
  return (path) => templates.find(({ expression }) => expression.test(path));
}

function expressionOf(template: string): RegExp {
  const source = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${source}$`);
}
