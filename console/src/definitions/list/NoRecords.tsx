import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { ListNoResults } from 'react-admin';
import { Nothing } from '../../app/unread/Nothing';

/** What a table says in place of rows: by default that nothing matches its filters, with a button to clear them. */
export function NoRecords({ children = <ListNoResults /> }: { children?: ReactNode }) {
  return (
    <Typography component="div" color="textSecondary" sx={{ p: 2 }}>
      <Nothing>{children}</Nothing>
    </Typography>
  );
}
