import TextField from '@mui/material/TextField';
import { useZone } from '../time/ZoneContext';
import { fromInputText, toInputText } from '../time/zones';

interface MomentFieldProps {
  label: string;
  /** In ISO 8601; empty for none. */
  value: string;
  helperText?: string;
  onChange(moment: string): void;
}

/** A field for a moment in the zone of the page, which its label names. */
export function MomentField({ label, value, helperText, onChange }: MomentFieldProps) {
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
