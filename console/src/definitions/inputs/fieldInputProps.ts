import type { Field } from '../schema/shape';

/** What the input of a field is given. */
export interface FieldInputProps {
  field: Field;
  /** The path of the value, such as `expiry.unit`, within what encloses the input. */
  source: string;
}
