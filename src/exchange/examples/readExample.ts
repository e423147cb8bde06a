import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type FieldError, invalidField, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { byName, freeObject, list, record, text } from '#base/schema/atoms';
import { compileParse } from '#base/schema/parse';
import type { Resource } from '#base/schema/resource';

/** A record that an example needs: the body of a `POST`, as written in `definitions.json`. */
export interface ExampleDefinition {
  resource: Resource;
  /** Where it is written, for messages: `products.3`. */
  place: string;
  body: Record<string, unknown>;
}

/** A program to learn from: its definitions, and a folder with a folder of rule files for each program. */
export interface Example {
  name: string;
  title: string;
  /** An activity to try, as a client posts it. */
  sample: Record<string, unknown>;
  /** In the order in which they are made: a definition only names earlier ones. */
  definitions: ExampleDefinition[];
  /** Codes of its programs. */
  programs: string[];
  /** Absolute path of the folder with the program folders. */
  rulesFolder: string;
}

const definitionsFile = 'definitions.json';

const parse = compileParse(
  record({
    title: text(200),
    sample: freeObject(),
    definitions: byName(list(freeObject(), 1000), 100),
  }),
);

/** The names of all examples in a folder, sorted. */
export async function exampleNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/**
 * Reads an example.
 * @param resources the resources whose records definitions may be
 * @throws ServiceError 1200 naming every fault of its `definitions.json`
 */
export async function readExample(folder: string, name: string, resources: readonly Resource[]): Promise<Example> {
  const own = path.join(folder, name);
  const { title, sample, definitions } = parse(json(await readFile(path.join(own, definitionsFile), 'utf8')));
  const read = Object.entries(definitions).map(([at, bodies]) => definitionsAt(at, bodies, resources));
  const faults = read.flatMap((each) => ('fault' in each ? [each.fault] : []));
  if (faults.length > 0) throw validationError(faults);
  const all = read.flatMap((each) => ('made' in each ? each.made : []));
  const programs = all.flatMap(({ resource, body }) => (resource.name === 'Program' ? [String(body.code)] : []));
  return { name, title, sample, definitions: all, programs, rulesFolder: path.join(own, 'rules') };
}

function json(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw invalidField(definitionsFile, 'json', message('examples.notJson', { error: String(error) }));
  }
}

function definitionsAt(
  at: string,
  bodies: readonly Record<string, unknown>[],
  resources: readonly Resource[],
): { made: ExampleDefinition[] } | { fault: FieldError } {
  const resource = resources.find((each) => each.path === at && each.access !== undefined);
  if (resource) return { made: bodies.map((body, index) => ({ resource, place: `${at}.${index}`, body })) };
  return { fault: { path: `definitions.${at}`, kind: 'enum', ...message('examples.noCollection') } };
}
