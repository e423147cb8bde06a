import Alert from '@mui/material/Alert';
import { useTranslate } from 'react-admin';
import { faultText } from '../../api/faultText';
import { isUnreached } from './isUnreached';

/**
 * Shows in place of data why the service refused a read. A read without an answer is reported by the frame of the page.
 */
export function Fault({ error }: { error: unknown }) {
  const translate = useTranslate();
  if (!error || isUnreached(error)) return null;
  return <Alert severity="error">{faultText(error, translate)}</Alert>;
}
