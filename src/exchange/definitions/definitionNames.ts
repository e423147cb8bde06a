import type { ObjectId } from 'bson';
import type { Resource } from '#base/schema/resource';
import { definitionKeyText, type FileKey } from './definitionKeys';

/** How files name the definitions of an org, by id and back. */
export class DefinitionNames {
  private readonly keys: Map<string, { key: FileKey; text: string }>;
  private readonly ids: Map<string, ObjectId>;

  /** @param known names to begin with */
  constructor(known?: DefinitionNames) {
    this.keys = new Map(known?.keys);
    this.ids = new Map(known?.ids);
  }

  /** Names a record. The latest record with a key is the one that the key finds. */
  add(resource: Resource, id: ObjectId, key: FileKey): void {
    const text = definitionKeyText(resource, key);
    if (text === undefined) return;
    this.keys.set(id.toHexString(), { key, text });
    this.ids.set(text, id);
  }

  /** How a file names the definition with this hexadecimal id; undefined when it is none. */
  keyOf(id: string): FileKey | undefined {
    return this.keys.get(id.toLowerCase())?.key;
  }

  /** The key, as a string, of the definition with this hexadecimal id. */
  textOf(id: string): string | undefined {
    return this.keys.get(id.toLowerCase())?.text;
  }

  /** The id of the definition with this key. */
  idOf(text: string): ObjectId | undefined {
    return this.ids.get(text);
  }
}
