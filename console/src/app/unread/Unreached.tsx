import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { faultText } from '../../api/faultText';
import { isFailed, useReadFault } from './useUnread';

/** Says above a page that something on it could not be read, and why, with a button to read it again. */
export function Unreached() {
  const translate = useTranslate();
  const queries = useQueryClient();
  const fault = useReadFault();
  if (!fault) return null;
  return (
    <Alert
      severity="error"
      sx={{ mt: 2 }}
      action={
        <Button color="inherit" size="small" onClick={() => void queries.refetchQueries({ predicate: isFailed })}>
          {translate('fault.tryAgain')}
        </Button>
      }
    >
      {faultText(fault, translate)}
    </Alert>
  );
}
