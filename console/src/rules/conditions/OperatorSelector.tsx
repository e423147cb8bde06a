import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import type { OperatorSelectorProps } from 'react-querybuilder';
import { useRuleForm } from '../inputs/RuleFormContext';
import { holds, namedField } from '../schema/conditionQuery';
import { comparing } from '../schema/knownFacts';

/** Chooses how a fact is compared, in the words of the service. An operator that the org's schema does not know stays. */
export function OperatorSelector({ value, rule, handleOnChange }: OperatorSelectorProps) {
  const translate = useTranslate();
  const { schema, isReadOnly } = useRuleForm();
  const named = namedField(rule.field);
  if (value === holds || 'condition' in named) return null;
  const known = comparing(schema, named.fact, named.path)?.operators ?? [];
  const present = value ?? '';
  const operators = known.some(({ name }) => name === present)
    ? known
    : [{ name: present, description: present }, ...known];
  return (
    <TextField
      select
      label={translate('rules.conditions.operator')}
      value={present}
      disabled={isReadOnly}
      onChange={({ target }) => handleOnChange(target.value)}
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
