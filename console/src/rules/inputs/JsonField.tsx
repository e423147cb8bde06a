import TextField from '@mui/material/TextField';
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { isSame } from '../../api/changes';

interface JsonFieldProps {
  label: string;
  value: unknown;
  help?: string | undefined;
  isReadOnly: boolean;
  onChange(value: unknown): void;
}

/** A value that the form has no fields for, as JSON. It changes the rule whenever its text is JSON. */
export function JsonField({ label, value, help, isReadOnly, onChange }: JsonFieldProps) {
  const translate = useTranslate();
  const [text, setText] = useState(() => written(value));
  const read = readJson(text);
  useEffect(() => {
    setText((before) => {
      const shown = readJson(before);
      return shown && isSame(shown.value, value) ? before : written(value);
    });
  }, [value]);
  return (
    <TextField
      label={label}
      value={text}
      multiline
      fullWidth
      sx={{ minWidth: 'min(100%, 220px)' }}
      maxRows={16}
      disabled={isReadOnly}
      error={!read}
      helperText={read ? (help ?? translate('rules.form.asJson')) : translate('rules.form.noJson')}
      slotProps={{ htmlInput: { spellCheck: false, sx: { fontFamily: 'monospace', fontSize: '0.85rem' } } }}
      onChange={({ target }) => {
        setText(target.value);
        const next = readJson(target.value);
        if (next && !isSame(next.value, value)) onChange(next.value);
      }}
    />
  );
}

function written(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** The value of a text; an empty string is no value. Undefined when it is no JSON. */
function readJson(text: string): { value: unknown } | undefined {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
