import Alert from '@mui/material/Alert';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { faultText } from '../../api/faultText';
import type { Preview } from '../api/ruleApi';
import { FaultList } from './FaultList';

/** Most faults that a page lists, and as many doubtful places. */
const shownMax = 20;

interface FindingsProps {
  data: Preview | undefined;
  error: unknown;
  /** Told when there is no fault. */
  fine: ReactNode;
  /** Stands below the faults. */
  below?: ReactNode;
}

/** What the service finds in rule files: faults, and what is doubtful. */
export function Findings({ data, error, fine, below }: FindingsProps) {
  const translate = useTranslate();
  const { errors = [], warnings = [] } = data ?? {};
  return (
    <div role="status">
      {error ? <Alert severity="error">{faultText(error, translate)}</Alert> : null}
      {data && errors.length === 0 ? <Alert severity="success">{fine}</Alert> : null}
      {errors.length > 0 ? (
        <Alert severity="error">
          <FaultList faults={errors.slice(0, shownMax)} />
          {below}
        </Alert>
      ) : null}
      {warnings.length > 0 ? (
        <Alert severity="warning" sx={{ mt: 1 }}>
          <FaultList faults={warnings.slice(0, shownMax)} />
        </Alert>
      ) : null}
    </div>
  );
}
