import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import type { components } from 'loyalty-client/generated/api';
import { useTranslate } from 'react-admin';
import { useServiceMessage } from '../../i18n/useServiceMessage';

interface ProblemsProps {
  errors: readonly components['schemas']['ProcessingError'][] | undefined;
}

/** Why an activity was refused. */
export function Problems({ errors = [] }: ProblemsProps) {
  const translate = useTranslate();
  const text = useServiceMessage();
  if (errors.length === 0) return null;
  return (
    <Alert severity="error" sx={{ mb: 2 }}>
      <AlertTitle>{translate('activities.refused')}</AlertTitle>
      {errors.map((error) => (
        <div key={`${error.code} ${error.message}`}>
          {text(error)} ({error.code}) {(error.errors ?? []).map((field) => `${field.path}: ${text(field)}`).join('; ')}
        </div>
      ))}
    </Alert>
  );
}
