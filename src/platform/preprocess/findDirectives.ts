import { type FieldError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { mapYielding } from '#base/common/yielding';
import { joinPath } from '#base/schema/joinPath';
import { type BodyDirective, readDefinition } from './bodyDirective';

/** The most directives in one body. */
export const directivesMax = 10;

/**
 * Finds all directives in a body, in the order of the body. The content of a directive, such as its default, is not
 * searched. A long list is searched in turns with other work of the process.
 * @param root has the body under the key `body`; the body is at most 32 levels deep
 * @throws ServiceError 1200 naming every malformed directive among the first {@link directivesMax}, and one beyond
 *   them
 */
export async function findDirectives(root: { body: unknown }): Promise<BodyDirective[]> {
  const search = new Search();
  const { body } = root;
  if (Array.isArray(body)) {
    await mapYielding(body, (each, index) => search.look(body, String(index), String(index), each));
  } else search.look(root, 'body', '', body);
  if (search.faults.length > 0) throw validationError(search.faults);
  return search.found;
}

class Search {
  readonly found: BodyDirective[] = [];
  readonly faults: FieldError[] = [];
  private count = 0;

  /** Searches a value and everything in it. The search stops at the first directive beyond the maximum. */
  look(holder: object, key: string, path: string, value: unknown): void {
    if (typeof value !== 'object' || value === null || this.count > directivesMax) return;
    const definition = readDefinition({ holder, key, path }, value);
    if (definition) this.add(path, definition);
    else {
      for (const name of Object.keys(value)) {
        const child: unknown = Reflect.get(value, name);
        if (typeof child === 'object') this.look(value, name, joinPath(path, name), child);
      }
    }
  }

  private add(path: string, definition: BodyDirective | FieldError[]): void {
    this.count += 1;
    if (this.count > directivesMax) this.faults.push(tooManyFault(path));
    else if (Array.isArray(definition)) this.faults.push(...definition);
    else this.found.push(definition);
  }
}

function tooManyFault(path: string): FieldError {
  return { ...message('preprocess.tooManyDirectives', { max: directivesMax }), kind: 'maxItems', path };
}
