import Box from '@mui/material/Box';
import { useSaid } from '../../i18n/useSaid';
import type { Fault } from '../api/ruleApi';

/** Faults with their places. */
export function FaultList({ faults }: { faults: readonly Fault[] }) {
  const said = useSaid();
  return (
    <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
      {faults.map(({ file, line, column, message }) => (
        <li key={`${file}:${line}:${column} ${message}`}>
          {file}:{line}:{column}: {said(message)}
        </li>
      ))}
    </Box>
  );
}
