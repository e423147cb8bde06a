import type { FieldError } from '../../common/errors';
import type { FieldKind } from '../../query/fields';
import type { ParseOptions } from '../../schema/parse';

/** How extension fields are checked. */
export interface CheckOptions extends ParseOptions {
  /** Whether required fields must be there although no `ext` was sent: the record is new. */
  isNew: boolean;
  /** Where `ext` stands in the body; default `ext`. */
  path?: string;
}

/** Checked extension fields: as they are stored, and what is wrong with them. */
export interface CheckedExt {
  ext: Record<string, unknown> | undefined;
  faults: FieldError[];
}

/** The extension fields that an org has defined, by the model whose records carry them. */
export interface ExtDefinitions {
  /** Checks the `ext` of a record; where the model has no definitions, everything fits. */
  check(model: string, ext: Record<string, unknown> | undefined, options: CheckOptions): CheckedExt;
  /** How the values of a defined field are read in queries; undefined when it is not defined. */
  kindOf(model: string, field: string): FieldKind | undefined;
}
