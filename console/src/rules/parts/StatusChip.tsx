import Chip from '@mui/material/Chip';
import { useTranslate } from 'react-admin';

const colours = { active: 'success', paused: 'warning', draft: 'default' } as const;

/** The status of a rule. */
export function StatusChip({ status }: { status: string }) {
  const translate = useTranslate();
  const colour = colours[status as keyof typeof colours] ?? 'default';
  return (
    <Chip
      size="small"
      variant="outlined"
      color={colour}
      label={translate(`rules.status.${status}`, { _: status })}
      sx={{ color: 'text.primary', alignSelf: 'flex-start' }}
    />
  );
}
