import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import { useRecordContext } from 'react-admin';
import { useChoiceLabel } from '../../i18n/useChoiceLabel';
import { useFailureText } from '../../i18n/useFailureText';

/** Says why the service paused the webhook, and what to do; nothing of one that it did not pause. */
export function PausedAlert() {
  const failureText = useFailureText();
  const choiceLabel = useChoiceLabel();
  const record = useRecordContext();
  if (typeof record?.pausedBecause !== 'string') return null;
  return (
    <Alert severity="warning" sx={{ mb: 2, maxWidth: 800 }}>
      <AlertTitle>{choiceLabel('Paused')}</AlertTitle>
      {failureText({ error: record.pausedBecause, fault: record.fault })}
    </Alert>
  );
}
