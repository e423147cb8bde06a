import Chip from '@mui/material/Chip';
import { useWords } from './useWords';

const colours: Readonly<Record<string, 'success' | 'error' | 'warning' | 'default'>> = {
  Error: 'error',
  Cancelled: 'warning',
  Suspended: 'warning',
  Erased: 'error',
};

/** The status of a member, an activity or a reward. */
export function StatusChip({ status }: { status: string }) {
  const words = useWords();
  return <Chip size="small" variant="outlined" color={colours[status] ?? 'default'} label={words('status', status)} />;
}
