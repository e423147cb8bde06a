import type { OperatorSelectorProps } from 'react-querybuilder';
import { OperatorChoice } from './OperatorChoice';

/** The operator of a comparison in the query builder. */
export function OperatorSelector({ value, rule, handleOnChange }: OperatorSelectorProps) {
  return <OperatorChoice field={rule.field} operator={value ?? ''} onChange={handleOnChange} />;
}
