import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import type { components } from 'loyalty-client/generated/api';
import { useTranslate } from 'react-admin';
import { useProblem } from '../../i18n/useProblem';
import { useSaid } from '../../i18n/useSaid';

interface ProblemsProps {
  errors: readonly components['schemas']['ProcessingError'][] | undefined;
}

/** Why an activity was refused. */
export function Problems({ errors = [] }: ProblemsProps) {
  const translate = useTranslate();
  const said = useSaid();
  const problem = useProblem();
  if (errors.length === 0) return null;
  return (
    <Alert severity="error" sx={{ mb: 2 }}>
      <AlertTitle>{translate('activities.refused')}</AlertTitle>
      {errors.map(({ code, message, errors: fields = [] }) => (
        <div key={`${code} ${message}`}>
          {problem({ code, message })} ({code}){' '}
          {fields.map((field) => `${field.path}: ${said(field.message)}`).join('; ')}
        </div>
      ))}
    </Alert>
  );
}
