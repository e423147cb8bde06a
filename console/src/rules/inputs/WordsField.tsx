import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useChoiceLabel } from '../../i18n/useChoiceLabel';

interface WordsFieldProps<T extends string | number> {
  label: string;
  value: readonly T[];
  values: readonly T[];
  isClosed: boolean;
  help?: string | undefined;
  isReadOnly?: boolean;
  /** Reads what was typed; default: the text itself. */
  read?(text: string): T | undefined;
  onChange(value: T[] | undefined): void;
}

/** A list of texts or numbers. An empty list removes the field. */
export function WordsField<T extends string | number>({
  label,
  value,
  values,
  isClosed,
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
      // Names that an org chose are said as they are written.
      getOptionLabel={(each) => (isClosed ? choiceLabel(String(each)) : String(each))}
      onChange={(_event, next) => {
        const words = next.flatMap((each) => (typeof each === 'string' ? (read(each) ?? []) : each)) as T[];
        onChange(words.length === 0 ? undefined : [...new Set(words)]);
      }}
      renderInput={(params) => <TextField {...params} label={label} helperText={help} />}
      sx={{ minWidth: 240 }}
    />
  );
}
