/** A schema, or any other object of an OpenAPI document. */
// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own names
export type Node = any;

/**
 * What a client that was made for one document would stumble over with another one: a sentence for each break, sorted.
 * What a request may contain may only grow; what an answer contains may not shrink.
 */
export function breaksBetween(before: Node, after: Node): string[] {
  const found: string[] = [];
  for (const [path, methods] of Object.entries<Node>(before.paths)) {
    for (const [method, operation] of Object.entries<Node>(methods)) {
      const next = after.paths[path]?.[method];
      const place = `${method.toUpperCase()} ${path}`;
      if (!next) found.push(`${place} is gone`);
      else compare({ operation, next, place, before, after, found });
    }
  }
  return [...new Set(found)].sort();
}

interface Compared {
  operation: Node;
  next: Node;
  place: string;
  before: Node;
  after: Node;
  found: string[];
}

function compare({ operation, next, place, before, after, found }: Compared): void {
  compareParameters(operation, next, place, found);
  const bodies = [operation, next].map(({ requestBody }) => requestBody?.content?.['application/json']?.schema);
  if (bodies[0] && !bodies[1]) found.push(`${place} takes no body any more`);
  if (!operation.requestBody?.required && next.requestBody?.required) found.push(`${place} requires a body`);
  const walk = { before, after, found, seen: new Set<string>() };
  if (bodies[0] && bodies[1]) narrowed(bodies[0], bodies[1], `${place} body`, walk);
  for (const [status, response] of Object.entries<Node>(operation.responses)) {
    if (status >= '400') continue;
    const now = next.responses[status];
    if (!now) {
      found.push(`${place} does not answer ${status} any more`);
      continue;
    }
    for (const [type, { schema }] of Object.entries<Node>(response.content ?? {})) {
      const present = now.content?.[type]?.schema;
      if (!present) found.push(`${place} ${status} is not ${type} any more`);
      else shrunk(schema, present, `${place} ${status}`, walk);
    }
  }
}

function compareParameters(operation: Node, next: Node, place: string, found: string[]): void {
  const key = ({ in: where, name }: Node) => `${where} ${name}`;
  const known = new Map<string, Node>((next.parameters ?? []).map((each: Node) => [key(each), each]));
  const former = new Map<string, Node>((operation.parameters ?? []).map((each: Node) => [key(each), each]));
  for (const [name, parameter] of former) {
    const now = known.get(name);
    if (!now) found.push(`${place} has no ${name} any more`);
    else if (parameter.schema && now.schema) bounds(parameter.schema, now.schema, `${place} ${name}`, found);
  }
  for (const [name, { required }] of known) {
    if (required && !former.get(name)?.required) found.push(`${place} requires ${name}`);
  }
}

interface Walk {
  before: Node;
  after: Node;
  found: string[];
  /** Pairs of references that were compared; schemas may contain themselves. */
  seen: Set<string>;
}

function resolved(schema: Node, document: Node): Node {
  if (!schema?.$ref) return schema;
  return schema.$ref
    .split('/')
    .slice(1)
    .reduce((node: Node, name: string) => node?.[name], document);
}

/** Enters a pair of schemas; undefined when it was entered before. */
function entered(before: Node, after: Node, place: string, walk: Walk): [Node, Node] | undefined {
  const key = `${before?.$ref} ${after?.$ref} ${before?.$ref ? '' : place} ${place.includes(' body') ? 'body' : 'answer'}`;
  if (walk.seen.has(key)) return undefined;
  walk.seen.add(key);
  return [resolved(before, walk.before), resolved(after, walk.after)];
}

/** Finds what a request could contain before and cannot now. */
function narrowed(before: Node, after: Node, place: string, walk: Walk): void {
  const pair = entered(before, after, place, walk);
  if (!pair) return;
  const [old, now] = pair;
  bounds(old, now, place, walk.found);
  const former = new Set<string>(old.required ?? []);
  for (const name of now.required ?? []) if (!former.has(name)) walk.found.push(`${place} requires ${name}`);
  for (const [name, schema] of Object.entries<Node>(old.properties ?? {})) {
    const next = now.properties?.[name];
    if (next) narrowed(schema, next, `${place}.${name}`, walk);
    else if (now.additionalProperties === false) walk.found.push(`${place}.${name} is refused`);
  }
  if (old.items && now.items) narrowed(old.items, now.items, `${place}[]`, walk);
}

/** Finds what an answer contained before and need not contain now. */
function shrunk(before: Node, after: Node, place: string, walk: Walk): void {
  const pair = entered(before, after, place, walk);
  if (!pair) return;
  const [old, now] = pair;
  const types = [old, now].map(({ type }) => (type === undefined ? undefined : [type].flat()));
  const added = (types[1] ?? []).filter(
    (type: string) => types[0] && !types[0].includes(type) && !isWithin(type, types[0]),
  );
  if (added.length > 0) walk.found.push(`${place} may be ${added.join(' or ')} now`);
  const sure = new Set<string>(now.required ?? []);
  for (const name of old.required ?? []) if (!sure.has(name)) walk.found.push(`${place}.${name} may be missing`);
  for (const [name, schema] of Object.entries<Node>(old.properties ?? {})) {
    const next = now.properties?.[name];
    if (next) shrunk(schema, next, `${place}.${name}`, walk);
    else if (now.properties) walk.found.push(`${place}.${name} is gone`);
  }
  if (old.items && now.items) shrunk(old.items, now.items, `${place}[]`, walk);
}

function isWithin(type: string, types: readonly string[]): boolean {
  return type === 'integer' && types.includes('number');
}

/** Finds values that a schema allowed and does not allow now. */
function bounds(old: Node, now: Node, place: string, found: string[]): void {
  const [types, next] = [old, now].map(({ type }) => (type === undefined ? undefined : [type].flat()));
  const lost = (types ?? []).filter((type: string) => next && !next.includes(type) && !isWithin(type, next));
  if (lost.length > 0) found.push(`${place} may not be ${lost.join(' or ')} any more`);
  const values = (old.enum ?? []).filter((value: unknown) => now.enum && !now.enum.includes(value));
  if (values.length > 0)
    found.push(`${place} may not be ${values.map((each: unknown) => JSON.stringify(each)).join(', ')} any more`);
  for (const name of ['maximum', 'maxLength', 'maxItems']) {
    if (now[name] !== undefined && (old[name] ?? Number.POSITIVE_INFINITY) > now[name])
      found.push(`${place} has a lower ${name}`);
  }
  for (const name of ['minimum', 'minLength', 'minItems']) {
    if (now[name] !== undefined && (old[name] ?? Number.NEGATIVE_INFINITY) < now[name])
      found.push(`${place} has a higher ${name}`);
  }
}
