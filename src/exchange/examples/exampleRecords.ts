import { ObjectId } from 'bson';
import { type FieldError, invalidField, ServiceError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { joinPath } from '#base/schema/joinPath';
import { findDirectives } from '#platform/preprocess/findDirectives';
import type { ExampleDefinition } from './readExample';

/** A definition with the record that it makes; ids are made up. */
export interface ExampleRecord {
  definition: ExampleDefinition;
  /** Parsed, so with defaults, Dates and ObjectIds. Lookups are replaced by the made-up ids. */
  record: Record<string, unknown> & { _id: ObjectId };
}

/**
 * Checks the definitions of an example without a service: the fields of each, and that each lookup finds an earlier
 * definition.
 * @throws ServiceError 1200 naming every fault
 */
export async function exampleRecords(definitions: readonly ExampleDefinition[]): Promise<ExampleRecord[]> {
  const made: ExampleRecord[] = [];
  const faults: FieldError[] = [];
  for (const definition of definitions) {
    const _id = new ObjectId();
    try {
      const body = await withoutLookups(definition, made);
      made.push({ definition, record: { ...definition.resource.parseCreate(body), _id } });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      faults.push(...(error.details.errors ?? []).map((each) => at(definition, each)));
      // Later definitions that name it should not be reported too.
      made.push({ definition, record: { _id } });
    }
  }
  if (faults.length > 0) throw validationError(faults);
  return made;
}

function at({ place }: ExampleDefinition, { path, ...rest }: FieldError): FieldError {
  return { ...rest, path: path === '' ? place : joinPath(place, path) };
}

async function withoutLookups({ body }: ExampleDefinition, earlier: readonly ExampleRecord[]): Promise<unknown> {
  const root = { body: structuredClone(body) };
  for (const directive of await findDirectives(root)) {
    if (!('lookup' in directive)) continue;
    const { model, keys, select } = directive.lookup;
    const found = earlier.find(
      ({ definition: { resource, body: named } }) =>
        resource.name === model && Object.entries(keys).every(([key, value]) => named[key] === value),
    );
    if (!found || select.join() !== '_id') {
      throw invalidField(directive.path, 'lookup', message('examples.lookupOfEarlier', { model }));
    }
    Reflect.set(directive.holder, directive.key, found.record._id.toHexString());
  }
  return root.body;
}
