import { type FieldError, validationError } from '../errors';
import { below } from '../schema/below';
import { type Definition, type Place, readDefinition } from './definition';

/** Definitions that one body may hold. */
export const definitionsMax = 10;

/**
 * Finds the definitions anywhere in a body, in the order of the body. What stands inside a definition, such as a
 * default, is taken as it is.
 * @param root holds the body under the key `body`; nests at most 32 deep
 * @throws ServiceError 1200 naming every malformed definition, or the first one past {@link definitionsMax}
 */
export function findDefinitions(root: { body: unknown }): Definition[] {
  const found: Definition[] = [];
  const faults: FieldError[] = [];
  for (const each of readAll({ holder: root, key: 'body', path: '' }, root.body)) {
    if (Array.isArray(each)) faults.push(...each);
    else found.push(each);
  }
  const tooMany = found[definitionsMax];
  if (tooMany) faults.push(tooManyFault(tooMany));
  if (faults.length > 0) throw validationError(faults);
  return found;
}

function* readAll(place: Place, value: unknown): Generator<Definition | FieldError[]> {
  if (typeof value !== 'object' || value === null) return;
  const definition = readDefinition(place, value);
  if (definition) {
    yield definition;
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    yield* readAll({ holder: value, key, path: below(place.path, key) }, child);
  }
}

function tooManyFault({ path }: Place): FieldError {
  return { message: `is one definition too many: a body may hold ${definitionsMax}`, kind: 'maxItems', path };
}
