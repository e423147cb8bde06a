import Box from '@mui/material/Box';
import { useServiceMessage } from '../../i18n/useServiceMessage';
import type { Fault } from '../api/ruleApi';

/** Faults with their places. */
export function FaultList({ faults }: { faults: readonly Fault[] }) {
  const text = useServiceMessage();
  return (
    <Box component="ul" sx={{ m: 0, pl: 2.5, overflowWrap: 'anywhere' }}>
      {faults.map(({ file, line, column, ...fault }) => (
        <li key={`${file}:${line}:${column} ${fault.message}`}>
          {file}:{line}:{column}: {text(fault)}
        </li>
      ))}
    </Box>
  );
}
