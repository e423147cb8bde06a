import TextField from '@mui/material/TextField';
import { useEffect, useState } from 'react';

interface NumberFieldProps {
  label: string;
  value: unknown;
  help?: string | undefined;
  isReadOnly?: boolean;
  onChange(value: number | undefined): void;
}

/** A number. While the text is none, such as `-`, the rule stays as it is. */
export function NumberField({ label, value, help, isReadOnly = false, onChange }: NumberFieldProps) {
  const [text, setText] = useState(String(value ?? ''));
  useEffect(() => {
    setText((before) => (numberOf(before) === value ? before : String(value ?? '')));
  }, [value]);
  return (
    <TextField
      label={label}
      value={text}
      helperText={help}
      disabled={isReadOnly}
      error={text !== '' && numberOf(text) === undefined}
      slotProps={{ htmlInput: { inputMode: 'decimal' } }}
      sx={{ minWidth: 120 }}
      onChange={({ target }) => {
        setText(target.value);
        const next = numberOf(target.value);
        if (next !== undefined || target.value.trim() === '') onChange(next);
      }}
    />
  );
}

/** The number that a text is; undefined for any other text. */
function numberOf(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}
