import Typography from '@mui/material/Typography';
import { Moment } from '../time/Moment';

/** A moment in a table, on two lines at most; a dash when there is none. */
export function When({ at }: { at: string | undefined }) {
  return (
    <Typography component="span" variant="inherit" sx={{ display: 'inline-block', minWidth: 110 }}>
      <Moment at={at} />
    </Typography>
  );
}
