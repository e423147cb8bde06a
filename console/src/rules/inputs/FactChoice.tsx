import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useMemo } from 'react';
import { fieldName, namedField } from '../schema/conditionQuery';
import { factOptions, numberOptions, optionOfField } from '../schema/factOptions';
import { isObject } from '../schema/fieldShape';
import { JsonField } from './JsonField';
import { useRuleForm } from './RuleFormContext';

interface FactChoiceProps {
  label: string;
  /** A reference to a fact: `{fact, path?, params?}`. */
  value: unknown;
  /** Only facts that are numbers. */
  isNumber?: boolean;
  onChange(value: unknown): void;
}

/** Chooses a fact, or a part of it. What it is asked with is JSON. */
export function FactChoice({ label, value, isNumber = false, onChange }: FactChoiceProps) {
  const { schema, isReadOnly } = useRuleForm();
  const options = useMemo(() => (isNumber ? numberOptions(schema) : factOptions(schema)), [schema, isNumber]);
  const {
    fact = '',
    path,
    params,
  } = (isObject(value) ? value : {}) as { fact?: string; path?: string; params?: unknown };
  const present = optionOfField(fieldName({ fact, ...(path === undefined ? {} : { path }), params }));
  const known = options.find(({ name }) => name === present.name);
  return (
    <>
      <Autocomplete
        options={known ? options : [present, ...options]}
        groupBy={({ group }) => group}
        getOptionLabel={({ label: text }) => text}
        getOptionKey={({ name }) => name}
        isOptionEqualToValue={(one, other) => one.name === other.name}
        value={known ?? present}
        disabled={isReadOnly}
        disableClearable
        onChange={(_event, option) => onChange(namedField(option.name))}
        renderInput={(input) => <TextField {...input} label={label} />}
        sx={{ minWidth: 240, flex: '1 1 240px' }}
      />
      {params === undefined ? null : (
        <JsonField
          label={`${label}: params`}
          value={params}
          isReadOnly={isReadOnly}
          onChange={(next) => onChange({ fact, ...(path === undefined ? {} : { path }), params: next })}
        />
      )}
    </>
  );
}
