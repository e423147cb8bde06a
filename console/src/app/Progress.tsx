import CircularProgress from '@mui/material/CircularProgress';
import { RefreshIconButton, useLoading, useTranslate } from 'react-admin';

/** Reads the page again; while anything is read, it shows that. */
export function Progress() {
  const translate = useTranslate();
  if (!useLoading()) return <RefreshIconButton />;
  return <CircularProgress color="inherit" size={20} sx={{ m: 1.25 }} aria-label={translate('ra.page.loading')} />;
}
