import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useInput, useTranslate, type Validator } from 'react-admin';

interface FreeInputProps {
  source: string;
  label: string;
  helperText: string | false;
  validate: Validator[];
}

/** An input of an object of any shape, as JSON. What is not JSON is a fault of the field. */
export function FreeInput({ source, label, helperText, validate }: FreeInputProps) {
  const translate = useTranslate();
  const isReadable = (value: unknown) => (typeof value === 'string' ? translate('definitions.notJson') : undefined);
  const { field, fieldState, isRequired, id } = useInput({ source, validate: [...validate, isReadable] });
  const [text, setText] = useState(() => written(field.value));
  const read = parsed(text);
  // The form was filled with another value, such as what the service stored.
  const isOther = typeof field.value !== 'string' && written(read) !== written(field.value);
  const shown = isOther ? written(field.value) : text;
  return (
    <TextField
      id={id}
      name={field.name}
      label={label}
      required={isRequired}
      value={shown}
      onChange={({ target }) => {
        setText(target.value);
        field.onChange(parsed(target.value));
      }}
      onBlur={field.onBlur}
      multiline
      minRows={2}
      maxRows={20}
      placeholder="{}"
      error={fieldState.invalid}
      helperText={fieldState.error?.message?.replace(/^@@react-admin@@"(.*)"$/, '$1') ?? (helperText || undefined)}
      fullWidth
      slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: 'ui-monospace, monospace', fontSize: 14 } } }}
    />
  );
}

function written(value: unknown): string {
  if (value === undefined || value === null || value === '') return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The value of an input: an object or list; null when it is empty; the text itself when it is not JSON. */
function parsed(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : text;
  } catch {
    return text;
  }
}
