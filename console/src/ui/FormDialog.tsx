import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { type FormEvent, type ReactNode, useId } from 'react';
import { useTranslate } from 'react-admin';
import { faultText } from '../api/faultText';

interface FormDialogProps {
  title: string;
  /** What the button that does it says. */
  submit: string;
  error: unknown;
  isBusy: boolean;
  /** What is typed so far can be sent. */
  isReady?: boolean;
  isDangerous?: boolean;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** A dialog with fields, what went wrong, and two buttons. It stays open until what it does is done. */
export function FormDialog({ title, submit, error, isBusy, isReady = true, isDangerous, ...props }: FormDialogProps) {
  const { onSubmit, onClose, children } = props;
  const translate = useTranslate();
  const id = useId();
  const send = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (isReady && !isBusy) onSubmit();
  };
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={id}>
      <form onSubmit={send}>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          <Stack sx={{ gap: 2, pt: 1 }}>
            {children}
            {error ? <Alert severity="error">{faultText(error, translate)}</Alert> : null}
          </Stack>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button
            type="submit"
            variant="contained"
            color={isDangerous ? 'error' : 'primary'}
            disabled={!isReady || isBusy}
          >
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
