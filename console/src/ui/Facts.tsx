import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

/** A list of named values, beside each other where there is room. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <Box
      component="dl"
      sx={{ m: 0, display: 'grid', gap: 1.5, gridTemplateColumns: 'repeat(auto-fill, minmax(160px, 1fr))' }}
    >
      {children}
    </Box>
  );
}
