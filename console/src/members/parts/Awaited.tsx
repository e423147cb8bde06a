import Alert from '@mui/material/Alert';
import LinearProgress from '@mui/material/LinearProgress';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';
import { faultText } from '../../api/faultText';

interface AwaitedProps<T> {
  /** What is read, in words. */
  label: string;
  read: { data: T | undefined; error: unknown; isFetching: boolean };
  children(data: T): ReactNode;
}

/** What was read, or why it could not be; a bar while it is awaited. */
export function Awaited<T>({ label, read, children }: AwaitedProps<T>) {
  const translate = useTranslate();
  const { data, error, isFetching } = read;
  return (
    <>
      <LinearProgress
        aria-label={label}
        aria-hidden={!isFetching}
        sx={{ visibility: isFetching ? 'visible' : 'hidden' }}
      />
      {error ? <Alert severity="error">{faultText(error, translate)}</Alert> : null}
      {data === undefined || error ? null : children(data)}
    </>
  );
}
