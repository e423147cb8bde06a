import Card from '@mui/material/Card';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { useTranslate } from 'react-admin';
import { Fault } from '../app/unread/Fault';

interface SectionProps {
  title: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  error?: unknown;
  isPending?: boolean;
  children: ReactNode;
}

/** A named part of a page that is read by itself: what is in it, that it is awaited, or why it is not there. */
export function Section({ title, actions, error, isPending, children }: SectionProps) {
  const translate = useTranslate();
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} sx={{ p: 2, mb: 2, minWidth: 0 }}>
      <Stack
        direction="row"
        sx={{ justifyContent: 'space-between', alignItems: 'center', gap: 1, mb: 1, flexWrap: 'wrap' }}
      >
        <Typography variant="h2" id={id}>
          {title}
        </Typography>
        {actions}
      </Stack>
      <Fault error={error} />
      {isPending && !error ? <LinearProgress aria-label={translate('ra.page.loading')} /> : null}
      {isPending || error ? null : children}
    </Card>
  );
}
