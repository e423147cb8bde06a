import Typography from '@mui/material/Typography';
import { Moment } from '../../time/Moment';

/** A moment in a table, on one line where there is room; a dash when there is none. */
export function When({ at }: { at: string | undefined }) {
  return (
    <Typography
      component="span"
      variant="inherit"
      sx={{ display: 'inline-block', minWidth: 96, whiteSpace: { sm: 'nowrap' } }}
    >
      <Moment at={at} />
    </Typography>
  );
}
