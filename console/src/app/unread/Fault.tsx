import Alert from '@mui/material/Alert';
import { useTranslate } from 'react-admin';
import { faultText } from '../../api/faultText';
import { isUnreached } from './isUnreached';

/** Why the service refused a read, in its place. Of one without an answer the frame of the page tells. */
export function Fault({ error }: { error: unknown }) {
  const translate = useTranslate();
  if (!error || isUnreached(error)) return null;
  return <Alert severity="error">{faultText(error, translate)}</Alert>;
}
