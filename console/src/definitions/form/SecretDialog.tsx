import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslate } from 'react-admin';

interface SecretDialogProps {
  /** What the service shows only now; undefined: nothing. */
  secret: string | undefined;
  onClose(): void;
}

/** Shows the text of a new key or the secret of a new webhook, which the service never shows again. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const translate = useTranslate();
  const [isCopied, setCopied] = useState(false);
  if (secret === undefined) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <Dialog open fullWidth maxWidth="sm" aria-labelledby="secret-title">
      <DialogTitle id="secret-title">{translate('definitions.secret.title')}</DialogTitle>
      <DialogContent>
        <Alert severity="warning" sx={{ mb: 2 }}>
          {translate('definitions.secret.text')}
        </Alert>
        <TextField
          label={translate('definitions.secret.label')}
          value={secret}
          fullWidth
          slotProps={{ htmlInput: { readOnly: true } }}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={copy}>{translate(isCopied ? 'definitions.secret.copied' : 'definitions.secret.copy')}</Button>
        <Button onClick={onClose} variant="contained">
          {translate('definitions.secret.done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
