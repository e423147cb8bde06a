import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslate } from 'react-admin';

interface PanelProps {
  /** Its heading is the message `rules.<name>.title`. */
  name: string;
  /** Beside the heading. */
  note?: ReactNode;
  children: ReactNode;
}

/** A part of a page beside the rule. */
export function Panel({ name, note, children }: PanelProps) {
  const translate = useTranslate();
  return (
    <Card
      component="section"
      aria-labelledby={`panel-${name}`}
      id={`rules-${name}`}
      tabIndex={-1}
      sx={{ p: 2, minWidth: 0 }}
    >
      <Typography variant="h2" id={`panel-${name}`} sx={{ mb: 1, display: 'flex', gap: 1, alignItems: 'center' }}>
        {translate(`rules.${name}.title`)}
        {note}
      </Typography>
      {children}
    </Card>
  );
}
