import type { RE2JS } from 're2js';
import type { ExtDef } from '../records/extensions/extDef';

/** What is checked of an extension field. */
export type ExtField = Pick<ExtDef, 'field' | 'type' | 'required' | 'min' | 'max'> & {
  /** Of a string. */
  pattern?: RE2JS;
  /** Of an enum. */
  values: ReadonlySet<string>;
};
