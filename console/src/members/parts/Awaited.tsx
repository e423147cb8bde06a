import Alert from '@mui/material/Alert';
import LinearProgress from '@mui/material/LinearProgress';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { faultText } from '../../api/faultText';

interface AwaitedProps<T> {
  read: { data: T | undefined; error: unknown; isFetching: boolean };
  children(data: T): ReactNode;
}

/** What was read, or why it could not be; a bar while it is awaited. */
export function Awaited<T>({ read, children }: AwaitedProps<T>) {
  const translate = useTranslate();
  const { data, error, isFetching } = read;
  return (
    <>
      <LinearProgress
        aria-label={translate('ra.page.loading')}
        aria-hidden={!isFetching}
        sx={{ visibility: isFetching ? 'visible' : 'hidden' }}
      />
      {error ? <Alert severity="error">{faultText(error, translate)}</Alert> : null}
      {data === undefined || error ? null : children(data)}
    </>
  );
}
