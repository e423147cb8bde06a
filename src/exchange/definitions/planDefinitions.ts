import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'bson';
import { type FieldError, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { compileWithoutNulls } from '#base/schema/nulls';
import type { Resource } from '#base/schema/resource';
import { programResource } from '#records/programs/program';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import { definitionKeyFields, definitionKeyText, readFileKey } from './definitionKeys';
import { DefinitionNames } from './definitionNames';
import { definitionResources } from './definitionResources';
import { fromFileForm, toFileForm } from './fileForm';
import type { DefinitionFile, FileDefinition } from './readDefinitionFile';
import type { StoredDefinition, StoredDefinitions } from './storedDefinitions';

/** One field that a file changes, both values as files have them; undefined: the field has no value. */
export interface FieldChange {
  path: string;
  from: unknown;
  to: unknown;
}

/** A definition that the file has and the org does not. */
export interface PlannedCreation {
  definition: FileDefinition;
  key: string;
  /** As it will be stored, with defaults. */
  body: Record<string, unknown>;
}

/** A definition that both have, with other fields. */
export interface PlannedChange {
  definition: FileDefinition;
  key: string;
  body: Record<string, unknown>;
  stored: StoredDefinition;
  changes: FieldChange[];
}

/** What applying a file does to an org. */
export interface DefinitionPlan {
  created: PlannedCreation[];
  changed: PlannedChange[];
  /** Only with `prune`: what the org has and the file's sections do not. */
  deleted: StoredDefinition[];
  /** The number of definitions of the file that the org has just so. */
  same: number;
}

/** A plan, and the faults for which it cannot be applied; their paths begin with the place: `offers[3].cost.purse`. */
export interface PlanResult {
  plan: DefinitionPlan;
  faults: FieldError[];
}

/**
 * Compares a file with the definitions of an org. A definition of the file is whole: a field that it does not have gets
 * its default, or none.
 * @param prune whether definitions are deleted that the sections of the file do not have
 */
export function planDefinitions(file: DefinitionFile, stored: StoredDefinitions, prune: boolean): PlanResult {
  const faults = [...file.faults];
  const byKey = new Map(stored.all.map((each) => [each.key, each]));
  const placed = named(file, byKey, faults);
  const names = collectNames(stored, placed);
  const plan: DefinitionPlan = { created: [], changed: [], deleted: [], same: 0 };
  for (const { definition, key } of inOrder(placed)) {
    const body = desired(definition, names, faults);
    const before = byKey.get(key);
    const changes = before && body ? fieldChanges(before.body, body) : [];
    if (body && !before) plan.created.push({ definition, key, body });
    else if (body && before && changes.length > 0)
      plan.changed.push({ definition, key, body, stored: before, changes });
    else if (body) plan.same += 1;
  }
  if (prune) plan.deleted = missing(file, stored, new Set(placed.map(({ key }) => key)));
  return { plan, faults };
}

interface Placed {
  definition: FileDefinition;
  key: string;
  id: ObjectId;
}

/** The definitions of a file whose key is there and occurs only once, with the id of the stored one or a made-up id. */
function named(file: DefinitionFile, byKey: ReadonlyMap<string, StoredDefinition>, faults: FieldError[]): Placed[] {
  const places = new Map<string, string>();
  return file.definitions.flatMap((definition) => {
    const { resource, place, body } = definition;
    const key = definitionKeyText(resource, readFileKey(resource, body));
    if (key === undefined) {
      faults.push(...keyFaults(definition));
      return [];
    }
    const first = places.get(key);
    if (first) faults.push({ path: place, kind: 'unique', ...message('definitions.sameKey', { first }) });
    if (first) return [];
    places.set(key, place);
    return [{ definition, key, id: byKey.get(key)?.id ?? new ObjectId() }];
  });
}

function keyFaults({ resource, place, body }: FileDefinition): FieldError[] {
  const lacking = definitionKeyFields(resource).filter((name) => body[name] === undefined || body[name] === null);
  if (lacking.length === 0)
    return [{ path: place, kind: 'type', ...message('definitions.noReadableKey', { names: keyNames(resource) }) }];
  return lacking.map((name) => ({ path: `${place}.${name}`, kind: 'required', ...message('schema.required') }));
}

function keyNames(resource: Resource): string {
  return definitionKeyFields(resource).join(' and ');
}

function collectNames(stored: StoredDefinitions, placed: readonly Placed[]): DefinitionNames {
  const names = new DefinitionNames(stored.names);
  const add = (resource: Resource, id: ObjectId, body: Record<string, unknown>) => {
    const key = readFileKey(resource, body);
    if (key !== undefined) names.add(resource, id, key);
  };
  for (const { definition, id } of placed) add(definition.resource, id, definition.body);
  return names;
}

function inOrder(placed: readonly Placed[]): Placed[] {
  return definitionResources.flatMap((resource) => placed.filter(({ definition }) => definition.resource === resource));
}

/** A definition of a file as it will be stored; undefined when it has faults. */
function desired(definition: FileDefinition, names: DefinitionNames, faults: FieldError[]) {
  const { resource, place, body } = definition;
  const own: FieldError[] = [];
  const { value, faults: shape } = readOrFaults(definition, () =>
    resource.parseCreate(bodyWithIds(resource, body, names, own)),
  );
  const references = own.map((fault) => ({ ...fault, path: pathBelow(place, fault.path) }));
  const isNamed = new Set(references.map(({ path }) => path));
  const found = [...references, ...shape.filter(({ path }) => !isNamed.has(path)), ...purseFaults(definition, names)];
  faults.push(...found);
  return value && found.length === 0 ? toFileForm(resource, value, names) : undefined;
}

/** A cost names its purse as the records do, which is no reference by id. */
function purseFaults({ place, body: { cost, program } }: FileDefinition, names: DefinitionNames): FieldError[] {
  if (!isPlainObject(cost) || typeof cost.purse !== 'string') return [];
  const programKey = definitionKeyText(programResource, program);
  const key = definitionKeyText(pursePolicyResource, { program, name: cost.purse });
  // An unknown program is a fault of its own.
  if (!programKey || !names.idOf(programKey) || !key || names.idOf(key)) return [];
  return [{ path: `${place}.cost.purse`, kind: 'reference', ...message('refs.notPurseOfProgram') }];
}

const withoutNulls = new Map(
  definitionResources.map(({ path, createBody }) => [path, compileWithoutNulls(createBody)]),
);

/** A definition of a file as the body of a POST. */
export function bodyWithIds(
  resource: Resource,
  body: Record<string, unknown>,
  names: DefinitionNames,
  faults: FieldError[],
): unknown {
  return withoutNulls.get(resource.path)?.(fromFileForm(resource, body, names, faults));
}

function readOrFaults<T>({ place }: FileDefinition, read: () => T): { value?: T; faults: FieldError[] } {
  try {
    return { value: read(), faults: [] };
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.details.errors) throw error;
    return { faults: error.details.errors.map((fault) => ({ ...fault, path: pathBelow(place, fault.path) })) };
  }
}

/** The path of a field in a file, with positions of lists in brackets: `offers[3].excludes.stackGroups[0]`. */
export function pathBelow(place: string, path: string): string {
  const steps = path === '' ? [] : path.split('.');
  return steps.reduce((before, step) => (/^\d+$/.test(step) ? `${before}[${step}]` : `${before}.${step}`), place);
}

/** The leaves in which two values differ. Lists are compared whole. */
export function fieldChanges(from: unknown, to: unknown, path = ''): FieldChange[] {
  if (isDeepStrictEqual(from, to)) return [];
  if (!isPlainObject(from) || !isPlainObject(to)) return [{ path, from, to }];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names.flatMap((name) => fieldChanges(from[name], to[name], path === '' ? name : `${path}.${name}`));
}

/** What a prune deletes, what refers to others first. */
function missing({ sections }: DefinitionFile, { all }: StoredDefinitions, kept: ReadonlySet<string>) {
  return all.filter(({ resource, key }) => sections.includes(resource) && !kept.has(key)).reverse();
}
