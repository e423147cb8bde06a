import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';

interface ReasonFieldProps {
  value: string;
  onChange(reason: string): void;
}

/** Why something is changed by hand: it is kept with the points and in the audit log. */
export function ReasonField({ value, onChange }: ReasonFieldProps) {
  const translate = useTranslate();
  return (
    <TextField
      label={translate('members.change.reason')}
      helperText={translate('members.change.reasonText')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      required
      slotProps={{ htmlInput: { maxLength: 500 } }}
    />
  );
}
