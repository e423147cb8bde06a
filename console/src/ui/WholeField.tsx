import TextField from '@mui/material/TextField';
import { useLocale, useTranslate } from 'react-admin';

interface WholeFieldProps {
  label: string;
  /** What was typed; empty for none. */
  value: string;
  helperText?: string;
  min?: number;
  max?: number;
  isRequired?: boolean;
  onChange(text: string): void;
}

/** A field for a whole number, which says when one is beyond its bounds. */
export function WholeField({ label, value, helperText, min = 0, max, isRequired, onChange }: WholeFieldProps) {
  const translate = useTranslate();
  const locale = useLocale();
  const number = Number(value);
  const isAbove = max !== undefined && number > max;
  const isBelow = value !== '' && number < min;
  const fault = isAbove
    ? translate('ra.validation.maxValue', { max: max.toLocaleString(locale) })
    : translate('ra.validation.minValue', { min: min.toLocaleString(locale) });
  return (
    <TextField
      label={label}
      value={value}
      error={isAbove || isBelow}
      helperText={isAbove || isBelow ? fault : helperText}
      required={isRequired ?? false}
      type="number"
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ htmlInput: { min, max, step: 1, inputMode: 'numeric' }, inputLabel: { shrink: true } }}
    />
  );
}
