import CircularProgress from '@mui/material/CircularProgress';
import { useTranslate } from 'react-admin';

/** Says that something is being loaded. */
export function Waiting() {
  const translate = useTranslate();
  return <CircularProgress aria-label={translate('ra.page.loading')} sx={{ m: 4, alignSelf: 'center' }} />;
}
