import Typography from '@mui/material/Typography';
import { DateTime } from '../time/DateTime';

/** An instant in a table, on two lines at most; a dash when there is none. */
export function When({ at }: { at: string | undefined }) {
  return (
    <Typography component="span" variant="inherit" sx={{ display: 'inline-block', minWidth: 110 }}>
      <DateTime at={at} />
    </Typography>
  );
}
