import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';

/** Why rules should change, for the person who approves it. */
export function ReasonField({ value, onChange }: { value: string; onChange(text: string): void }) {
  const translate = useTranslate();
  return (
    <TextField
      label={translate('proposals.reason')}
      helperText={translate('proposals.reasonHelp')}
      value={value}
      multiline
      slotProps={{ htmlInput: { maxLength: 1000 } }}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** The reason as a part of a body; nothing when there is none. */
export function reasonIn(text: string): { reason?: string } {
  return text.trim() === '' ? {} : { reason: text.trim() };
}
