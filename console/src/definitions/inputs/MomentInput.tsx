import { TextInput, type Validator } from 'react-admin';
import { useZone } from '../../time/ZoneContext';
import { fromInputText, toInputText } from '../../time/zones';

interface MomentInputProps {
  source: string;
  label: string;
  helperText: string | false;
  validate: Validator[];
}

/** An input of a moment, in the zone of the page, which its label names. */
export function MomentInput({ label, ...props }: MomentInputProps) {
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
