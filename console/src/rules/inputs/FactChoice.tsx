import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { fieldName, namedField } from '../schema/conditionQuery';
import { type FactOption, factOptions, numberOptions, optionOfField } from '../schema/factOptions';
import { isObject } from '../schema/fieldShape';
import { JsonField } from './JsonField';
import { useRuleForm } from './RuleFormContext';
import { useFactLabel } from './useFactLabel';

interface FactChoiceProps {
  label: string;
  /** A reference to a fact: `{fact, path?, params?}`. */
  value: unknown;
  /** Only facts that are numbers. */
  isNumber?: boolean;
  /** Its params are shown elsewhere. */
  isWithoutParams?: boolean;
  onChange(value: unknown): void;
}

/** Chooses a fact, or a part of it. Its params are JSON, unless they are shown elsewhere. */
export function FactChoice({ label, value, isNumber = false, isWithoutParams = false, onChange }: FactChoiceProps) {
  const translate = useTranslate();
  const factLabel = useFactLabel();
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
        groupBy={({ group }) => translate(`facts.names.${group}`, { _: group })}
        getOptionLabel={factLabel}
        // A fact is found by its words, and by the name that rules have.
        filterOptions={createFilterOptions<FactOption>({
          stringify: (option) => `${factLabel(option)} ${option.label}`,
        })}
        getOptionKey={({ name }) => name}
        isOptionEqualToValue={(one, other) => one.name === other.name}
        value={known ?? present}
        disabled={isReadOnly}
        disableClearable
        onChange={(_event, option) => onChange(namedField(option.name))}
        renderInput={(input) => <TextField {...input} label={label} />}
        sx={{ minWidth: 240, flex: '1 1 240px' }}
      />
      {params === undefined || isWithoutParams ? null : (
        <JsonField
          label={`${label}: ${translate('fields.params', { _: 'params' })}`}
          value={params}
          isReadOnly={isReadOnly}
          onChange={(next) => onChange({ fact, ...(path === undefined ? {} : { path }), params: next })}
        />
      )}
    </>
  );
}
