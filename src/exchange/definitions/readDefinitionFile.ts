import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type { FieldError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import type { Resource } from '#base/schema/resource';
import { definitionPaths, definitionResources } from './definitionResources';

/** One definition as a file has it. */
export interface FileDefinition {
  resource: Resource;
  /** Where it is: `offers[3]`. */
  place: string;
  body: Record<string, unknown>;
}

/** A read definition file. */
export interface DefinitionFile {
  definitions: FileDefinition[];
  /** The resources that have a section, also an empty one. */
  sections: Resource[];
  faults: FieldError[];
  /** The position of the value at a path such as `offers[3].cost.purse`, or of the nearest one around it: `12:5`. */
  positionOf(path: string): string;
}

/** The largest definition file, in bytes, and the most definitions of one. */
export const definitionFileLimits = { maxBytes: 4 * 1_048_576, definitionsMax: 10_000 } as const;

/** Uses of anchors that a file may have; more could make a small file a huge value. */
const aliasesMax = 1000;

/** Reads a definition file, which is YAML 1.2 or JSON. Faults of single definitions are not looked for here. */
export function readDefinitionFile(text: string): DefinitionFile {
  if (Buffer.byteLength(text) > definitionFileLimits.maxBytes)
    return unreadable(message('definitions.fileTooLarge'), '1:1');
  const lines = new LineCounter();
  const parsed = parse(text.replace(/^\uFEFF/, ''), lines);
  if ('fault' in parsed) return unreadable(parsed.fault, parsed.at ?? '1:1');
  const { document, value } = parsed;
  const { definitions, sections, faults } = read(value);
  return { definitions, sections, faults, positionOf: (path) => yamlPosition(document, lines, path) };
}

type Parsed = { document: Document; value: unknown } | { fault: Message; at?: string };

function parse(text: string, lineCounter: LineCounter): Parsed {
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
    const [error] = document.errors;
    // How deep the parser gets depends on what runs above it, so it has no place in the file.
    if (error?.code === 'RESOURCE_EXHAUSTION') return { fault: message('definitions.tooDeep') };
    if (error) return { fault: { message: error.message }, at: shown(lineCounter, error.pos[0]) };
    return { document, value: document.toJS({ maxAliasCount: aliasesMax }) };
  } catch (error) {
    // The parser recurses into nested values, and refuses aliases that would multiply.
    if (error instanceof RangeError) return { fault: message('definitions.tooDeep') };
    if (error instanceof Error) return { fault: { message: error.message } };
    throw error;
  }
}

function unreadable(fault: Message, position: string): DefinitionFile {
  const faults = [{ path: '', kind: 'format', ...fault }];
  return { definitions: [], sections: [], faults, positionOf: () => position };
}

function read(value: unknown): Pick<DefinitionFile, 'definitions' | 'sections' | 'faults'> {
  if (!isPlainObject(value)) return { definitions: [], sections: [], faults: [mustBe('', 'type', anObject)] };
  const definitions: FileDefinition[] = [];
  const sections: Resource[] = [];
  const faults: FieldError[] = [];
  for (const [path, list] of Object.entries(value)) {
    const resource = definitionResources.find((each) => each.path === path);
    if (!resource) faults.push(mustBe(path, 'enum', `one of ${definitionPaths.join(', ')}`));
    else if (list === null || Array.isArray(list)) {
      sections.push(resource);
      for (const [index, body] of (list ?? []).entries()) {
        const place = `${path}[${index}]`;
        if (isPlainObject(body)) definitions.push({ resource, place, body });
        else faults.push(mustBe(place, 'type', 'an object with the fields of the definition'));
      }
    } else faults.push(mustBe(path, 'type', 'a list of definitions'));
  }
  if (definitions.length > definitionFileLimits.definitionsMax) faults.push(tooMany(definitions.length));
  return { definitions, sections, faults };
}

const anObject = `an object with lists of definitions, such as ${definitionPaths.slice(3, 5).join(' and ')}`;

function mustBe(path: string, kind: string, what: string): FieldError {
  return { path, kind, ...message('definitions.mustBe', { what }) };
}

function tooMany(count: number): FieldError {
  const { definitionsMax } = definitionFileLimits;
  const fault = message('definitions.tooManyInFile', { count, max: definitionsMax });
  return { path: '', kind: 'maxItems', ...fault };
}

function yamlPosition(document: Document, lines: LineCounter, path: string): string {
  const names = path.split(/[.[\]]+/).filter((name) => name !== '');
  for (let length = names.length; length > 0; length -= 1) {
    const found: unknown = nodeAt(document, names.slice(0, length));
    if (isNode(found) && found.range) return shown(lines, found.range[0]);
  }
  return '1:1';
}

function nodeAt(document: Document, names: readonly string[]): unknown {
  const steps = names.map((name) => (/^\d+$/.test(name) ? Number(name) : name));
  try {
    return document.getIn(steps, true);
  } catch {
    // A part of the path is no collection.
    return undefined;
  }
}

function shown(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${line}:${col}`;
}
