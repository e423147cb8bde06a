import TextField from '@mui/material/TextField';

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

/** A field for a whole number. */
export function WholeField({ label, value, helperText, min = 0, max, isRequired, onChange }: WholeFieldProps) {
  return (
    <TextField
      label={label}
      value={value}
      helperText={helperText}
      required={isRequired ?? false}
      type="number"
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ htmlInput: { min, max, step: 1, inputMode: 'numeric' }, inputLabel: { shrink: true } }}
    />
  );
}
