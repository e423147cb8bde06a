import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import { useRuleForm } from '../inputs/RuleFormContext';
import { holds, namedField } from '../schema/conditionQuery';
import { comparing } from '../schema/knownFacts';

interface OperatorChoiceProps {
  /** What is compared, as the query builder names it. */
  field: string;
  operator: string;
  onChange(operator: string): void;
}

/** Chooses how a fact is compared, in the words of the service. An operator that the org's schema does not know stays. */
export function OperatorChoice({ field, operator, onChange }: OperatorChoiceProps) {
  const translate = useTranslate();
  const { schema, isReadOnly } = useRuleForm();
  const named = namedField(field);
  if (operator === holds || 'condition' in named) return null;
  const known = comparing(schema, named.fact, named.path)?.operators ?? [];
  const operators = known.some(({ name }) => name === operator)
    ? known
    : [{ name: operator, description: operator }, ...known];
  return (
    <TextField
      select
      label={translate('rules.conditions.operator')}
      value={operator}
      disabled={isReadOnly}
      onChange={({ target }) => onChange(target.value)}
      sx={{ flex: '1 1 160px', maxWidth: 280 }}
    >
      {operators.map(({ name, description }) => (
        <MenuItem key={name} value={name}>
          {translate(`rules.operators.${name}`, { _: description || name })}
        </MenuItem>
      ))}
    </TextField>
  );
}
