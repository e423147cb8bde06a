import LinearProgress from '@mui/material/LinearProgress';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { Fault } from '../app/unread/Fault';

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
      <Fault error={error} />
      {data === undefined || error ? null : children(data)}
    </>
  );
}
