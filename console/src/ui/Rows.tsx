import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Nothing } from '../app/unread/Nothing';

/** A column of {@link Rows}. */
export interface Column<Row> {
  label: string;
  cell(row: Row): ReactNode;
  isNumber?: boolean;
  /** Left out in windows that are narrower than this. */
  from?: 'md' | 'xl';
}

interface RowsProps<Row> {
  /** What the table is, for those who do not see it. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  /** What is shown in place of an empty table. */
  empty: ReactNode;
}

/** A table of rows. Where it is wider than the window it scrolls by itself, also by keys. */
export function Rows<Row>({ label, rows, columns, keyOf, empty }: RowsProps<Row>) {
  if (rows.length === 0) {
    return (
      <Typography color="textSecondary" sx={{ p: 2 }}>
        <Nothing>{empty}</Nothing>
      </Typography>
    );
  }
  return (
    <TableContainer tabIndex={0} role="group" aria-label={label}>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {columns.map((column) => (
              <TableCell key={column.label} align={column.isNumber ? 'right' : 'left'} sx={shownFrom(column.from)}>
                {column.label}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} hover>
              {columns.map((column) => (
                <TableCell key={column.label} align={column.isNumber ? 'right' : 'left'} sx={shownFrom(column.from)}>
                  {column.cell(row)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function shownFrom(width: 'md' | 'xl' | undefined) {
  return width ? { display: { xs: 'none', [width]: 'table-cell' } } : {};
}
