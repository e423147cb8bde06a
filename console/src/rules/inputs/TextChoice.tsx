import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import type { FilterOptionsState } from '@mui/material/useAutocomplete';
import { useChoiceLabel } from '../../i18n/useChoiceLabel';
import type { ProposingInput } from './ProposingInput';

interface TextChoiceProps extends ProposingInput {
  value: string;
  /** What is proposed. */
  values: readonly string[];
  onChange(value: string | undefined): void;
}

const containing = createFilterOptions<string>();

/** The options that contain what was typed, first those that begin with it: who types a name and Enter means that name. */
function beginningFirst(options: string[], state: FilterOptionsState<string>): string[] {
  const typed = state.inputValue.trim().toLowerCase();
  const rankOf = (option: string) => (option.toLowerCase().startsWith(typed) ? 0 : 1);
  return containing(options, state).sort((one, other) => rankOf(one) - rankOf(other));
}

/** A string, free or from a list. An empty one removes the field. */
export function TextChoice({
  label,
  value,
  values,
  isClosed,
  labelled = [],
  texts,
  help,
  isReadOnly = false,
  onChange,
}: TextChoiceProps) {
  const choiceLabel = useChoiceLabel();
  const change = (next: string | null) => onChange(next === null || next === '' ? undefined : next);
  const shared = { label, helperText: help, disabled: isReadOnly };
  if (values.length === 0) {
    return <TextField {...shared} fullWidth value={value} onChange={({ target }) => change(target.value)} />;
  }
  if (isClosed) {
    const choices = value === '' || values.includes(value) ? values : [...values, value];
    return (
      <TextField
        {...shared}
        select
        value={value}
        onChange={({ target }) => change(target.value)}
        sx={{ minWidth: 160 }}
      >
        {choices.map((each) => (
          <MenuItem key={each} value={each}>
            {labelled.includes(each) ? choiceLabel(each, texts) : each}
          </MenuItem>
        ))}
      </TextField>
    );
  }
  return (
    <Autocomplete
      freeSolo
      options={values}
      filterOptions={beginningFirst}
      inputValue={value}
      disabled={isReadOnly}
      onInputChange={(_event, next, reason) => (reason === 'reset' ? undefined : change(next))}
      onChange={(_event, next) => change(next)}
      renderInput={(params) => <TextField {...params} {...shared} />}
      sx={{ minWidth: 200 }}
    />
  );
}
