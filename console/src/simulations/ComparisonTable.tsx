import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useLocale, useTranslate } from 'react-admin';

/** Points before and after of something that has a name. */
export interface ComparedRow {
  id: string;
  name: string;
  note?: string;
  before: number;
  after: number;
  difference: number;
}

interface ComparisonTableProps {
  rows: readonly ComparedRow[];
  /** Names the table, after what its rows are. */
  label: string;
  /** Heads the names. */
  named: string;
}

/** Points before and after as a table. */
export function ComparisonTable({ rows, label, named }: ComparisonTableProps) {
  const translate = useTranslate();
  const locale = useLocale();
  const number = (value: number) => value.toLocaleString(locale);
  return (
    <Box
      sx={{ overflow: 'auto', maxHeight: 420 }}
      tabIndex={0}
      role="region"
      aria-label={`${translate('simulations.table')}, ${label}`}
    >
      <Table size="small" sx={{ '& th, & td': { px: { xs: 0.75, sm: 2 } } }}>
        <TableHead>
          <TableRow>
            <TableCell>{named}</TableCell>
            {['before', 'after', 'difference'].map((column) => (
              <TableCell key={column} align="right">
                {translate(`simulations.figures.${column}`)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ id, name, note, before, after, difference }) => (
            <TableRow key={id}>
              <TableCell component="th" scope="row" sx={{ overflowWrap: 'break-word', minWidth: 90 }}>
                {name}
                {note ? (
                  <Typography variant="caption" color="textSecondary" component="div">
                    {note}
                  </Typography>
                ) : null}
              </TableCell>
              <TableCell align="right">{number(before)}</TableCell>
              <TableCell align="right">{number(after)}</TableCell>
              <TableCell align="right">{difference.toLocaleString(locale, { signDisplay: 'exceptZero' })}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
