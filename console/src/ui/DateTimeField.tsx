import TextField from '@mui/material/TextField';
import { useZone } from '../time/ZoneContext';
import { fromInputText, toInputText } from '../time/zones';

interface DateTimeFieldProps {
  label: string;
  /** In ISO 8601; empty for none. */
  value: string;
  helperText?: string;
  onChange(moment: string): void;
}

/** A field for an instant in the zone of the page, which its label names. */
export function DateTimeField({ label, value, helperText, onChange }: DateTimeFieldProps) {
  const zone = useZone();
  return (
    <TextField
      label={`${label} (${zone})`}
      helperText={helperText}
      type="datetime-local"
      value={value === '' ? '' : toInputText(value, zone)}
      onChange={({ target }) => onChange(fromInputText(target.value, zone) ?? '')}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}
