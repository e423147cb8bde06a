import type { ValueEditorProps } from 'react-querybuilder';
import { ValueInput } from './ValueInput';

/** The value of a comparison in the query builder. */
export function ComparedValue({ value, rule, handleOnChange }: ValueEditorProps) {
  return <ValueInput field={rule.field} operator={rule.operator} value={value} onChange={handleOnChange} />;
}
