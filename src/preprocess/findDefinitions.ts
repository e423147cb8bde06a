import { type FieldError, validationError } from '../common/errors';
import { mapInTurns } from '../common/turns';
import { below } from '../schema/below';
import { type Definition, readDefinition } from './definition';

/** Definitions that one body may hold. */
export const definitionsMax = 10;

/**
 * Finds the definitions anywhere in a body, in the order of the body. What stands inside a definition, such as a
 * default, is taken as it is. The elements of a list are searched in turns with whatever else the process does.
 * @param root holds the body under the key `body`; nests at most 32 deep
 * @throws ServiceError 1200 naming every malformed definition among the first {@link definitionsMax}, and one past them
 */
export async function findDefinitions(root: { body: unknown }): Promise<Definition[]> {
  const search = new Search();
  const { body } = root;
  if (Array.isArray(body)) {
    await mapInTurns(body, (each, index) => search.look(body, String(index), String(index), each));
  } else search.look(root, 'body', '', body);
  if (search.faults.length > 0) throw validationError(search.faults);
  return search.found;
}

class Search {
  readonly found: Definition[] = [];
  readonly faults: FieldError[] = [];
  private count = 0;

  /** Looks at a value and all within it; past the most definitions that may be, at nothing more. */
  look(holder: object, key: string, path: string, value: unknown): void {
    if (typeof value !== 'object' || value === null || this.count > definitionsMax) return;
    const definition = readDefinition({ holder, key, path }, value);
    if (definition) this.add(path, definition);
    else {
      for (const name of Object.keys(value)) {
        const child: unknown = Reflect.get(value, name);
        if (typeof child === 'object') this.look(value, name, below(path, name), child);
      }
    }
  }

  private add(path: string, definition: Definition | FieldError[]): void {
    this.count += 1;
    if (this.count > definitionsMax) this.faults.push(tooManyFault(path));
    else if (Array.isArray(definition)) this.faults.push(...definition);
    else this.found.push(definition);
  }
}

function tooManyFault(path: string): FieldError {
  return { message: `is one definition too many: a body may hold ${definitionsMax}`, kind: 'maxItems', path };
}
