import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** Inputs beside each other where there is room. Those of objects and lists take a line of their own. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
        '& > fieldset, & > .RaArrayInput-root': { gridColumn: '1 / -1' },
      }}
    >
      {children}
    </Box>
  );
}
