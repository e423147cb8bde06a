import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useInput, useTranslate } from 'react-admin';

interface WordsInputProps {
  source: string;
  label: string;
  helperText: string | false;
}

/** An input of a list of strings: each is added with Enter. */
export function WordsInput({ source, label, helperText }: WordsInputProps) {
  const translate = useTranslate();
  const { field, fieldState } = useInput({ source });
  const words: string[] = Array.isArray(field.value) ? field.value : [];
  return (
    <Autocomplete
      multiple
      freeSolo
      autoSelect
      options={[] as string[]}
      value={words}
      onChange={(_event, next) => field.onChange(next)}
      onBlur={field.onBlur}
      limitTags={50}
      renderInput={(params) => (
        <TextField
          {...params}
          name={source}
          label={label}
          error={fieldState.invalid}
          helperText={helperText || translate('definitions.words')}
          fullWidth
        />
      )}
    />
  );
}
