import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useChoiceLabel } from '../../i18n/useChoiceLabel';
import type { ProposingInput } from './ProposingInput';

interface WordsFieldProps<T extends string | number> extends ProposingInput {
  value: readonly T[];
  values: readonly T[];
  /** Reads what was typed; default: the text itself. */
  read?(text: string): T | undefined;
  onChange(value: T[] | undefined): void;
}

/** A list of strings or numbers. An empty list removes the field. */
export function WordsField<T extends string | number>({
  label,
  value,
  values,
  isClosed,
  labelled = [],
  texts,
  help,
  isReadOnly = false,
  read = (text) => text as T,
  onChange,
}: WordsFieldProps<T>) {
  const choiceLabel = useChoiceLabel();
  return (
    <Autocomplete
      multiple
      freeSolo={!isClosed}
      autoSelect={!isClosed}
      options={values}
      value={[...value]}
      disabled={isReadOnly}
      getOptionLabel={(each) => (labelled.includes(String(each)) ? choiceLabel(String(each), texts) : String(each))}
      onChange={(_event, next) => {
        const words = next.flatMap((each) => (typeof each === 'string' ? (read(each) ?? []) : each)) as T[];
        onChange(words.length === 0 ? undefined : [...new Set(words)]);
      }}
      renderInput={(params) => <TextField {...params} label={label} helperText={help} />}
      sx={{ minWidth: 240 }}
    />
  );
}
