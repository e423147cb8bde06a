import type { FieldError } from '#base/common/errors';
import type { FieldKind } from '#base/query/fields';
import type { ParseOptions } from '#base/schema/parse';

/** Options for checking extension fields. */
export interface CheckOptions extends ParseOptions {
  /** The record is new, so required fields are missing even if the body has no `ext`. */
  isNew: boolean;
  /** The path of `ext` in the body; default `ext`. */
  path?: string;
}

/** The result of a check: the extension fields to store, and their faults. */
export interface CheckedExt {
  ext: Record<string, unknown> | undefined;
  faults: FieldError[];
}

/** The extension fields that an org has defined, by model. */
export interface ExtDefinitions {
  /** Checks the `ext` of a record. A model without definitions accepts everything. */
  check(model: string, ext: Record<string, unknown> | undefined, options: CheckOptions): CheckedExt;
  /** How queries read the values of a field; undefined when the field is not defined. */
  kindOf(model: string, field: string): FieldKind | undefined;
}
