import TextField from '@mui/material/TextField';
import { useZone } from '../../time/ZoneContext';

interface DateTimeFieldProps {
  label: string;
  /** The value of an input of type `datetime-local`, in the zone of the page. */
  value: string;
  onChange(text: string): void;
}

/** An instant in the zone of the page, which it names. */
export function DateTimeField({ label, value, onChange }: DateTimeFieldProps) {
  const zone = useZone();
  return (
    <TextField
      type="datetime-local"
      label={`${label} (${zone})`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
      sx={{ minWidth: 240 }}
    />
  );
}
