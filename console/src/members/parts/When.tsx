import Typography from '@mui/material/Typography';
import { Moment } from '../../time/Moment';

/** A moment in a table, on one line; a dash when there is none. */
export function When({ at }: { at: string | undefined }) {
  return (
    <Typography component="span" variant="inherit" noWrap>
      <Moment at={at} />
    </Typography>
  );
}
