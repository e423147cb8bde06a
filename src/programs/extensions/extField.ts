import type { RE2JS } from 're2js';
import type { ExtDef } from '#records/extensions/extDef';

/** The parts of an extension definition that values are checked against. */
export type ExtField = Pick<ExtDef, 'field' | 'type' | 'required' | 'min' | 'max'> & {
  /** Only for type string. */
  pattern?: RE2JS;
  /** The accepted values; empty for every type other than enum. */
  values: ReadonlySet<string>;
};
