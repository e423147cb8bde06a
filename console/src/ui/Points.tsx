import Typography from '@mui/material/Typography';
import { useLocale } from 'react-admin';

interface PointsProps {
  points: number;
  /** Shows a plus too, and what is taken in red. */
  isChange?: boolean;
}

/** A number of points in the language of the page. */
export function Points({ points, isChange }: PointsProps) {
  const locale = useLocale();
  const text = points.toLocaleString(locale, isChange ? { signDisplay: 'exceptZero' } : {});
  return (
    <Typography
      component="span"
      variant="inherit"
      noWrap
      {...(isChange && points !== 0 ? { color: points < 0 ? 'error' : 'primary' } : {})}
      sx={{ fontVariantNumeric: 'tabular-nums' }}
    >
      {text}
    </Typography>
  );
}
