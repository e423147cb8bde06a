import { TextInput, type Validator } from 'react-admin';
import { useZone } from '../../time/ZoneContext';
import { fromInputText, toInputText } from '../../time/zones';

interface DateTimeInputProps {
  source: string;
  label: string;
  helperText: string | false;
  validate: Validator[];
}

/** An input of an instant, in the zone of the page, which its label names. */
export function DateTimeInput({ label, ...props }: DateTimeInputProps) {
  const zone = useZone();
  return (
    <TextInput
      {...props}
      label={`${label} (${zone})`}
      type="datetime-local"
      format={(moment?: string | null) => (moment ? toInputText(moment, zone) : '')}
      parse={(text: string) => fromInputText(text, zone) ?? null}
      slotProps={{ inputLabel: { shrink: true } }}
      fullWidth
    />
  );
}
