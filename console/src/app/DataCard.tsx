import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';
import { Nothing } from './unread/Nothing';

interface DataCardProps {
  title: string;
  columns: readonly string[];
  /** Columns that narrow windows leave out, so that the others are seen. */
  fromMedium?: readonly string[];
  /** The key of each row, then its cells. */
  rows: readonly (readonly [key: string, ...cells: ReactNode[]])[];
  /** What is said when there are no rows. */
  empty: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
}

/** A card with a small table. */
export function DataCard({ title, columns, fromMedium = [], rows, empty, actions }: DataCardProps) {
  const id = useId();
  const shown = (column: string | undefined) =>
    column !== undefined && fromMedium.includes(column) ? { display: { xs: 'none', md: 'table-cell' } } : {};
  return (
    <Card component="section" aria-labelledby={id} sx={{ pt: 2 }}>
      <Stack direction="row" sx={{ px: 2, mb: 1, gap: 1, justifyContent: 'space-between', flexWrap: 'wrap' }}>
        <Typography variant="h2" id={id}>
          {title}
        </Typography>
        {actions}
      </Stack>
      {rows.length === 0 ? (
        <Typography color="textSecondary" sx={{ px: 2, pb: 2 }}>
          <Nothing>{empty}</Nothing>
        </Typography>
      ) : (
        // A region that scrolls must be reachable with the keyboard.
        <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-labelledby={id}>
          <Table size="small">
            <TableHead>
              <TableRow>
                {columns.map((column) => (
                  <TableCell key={column} sx={shown(column)}>
                    {column}
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {rows.map(([key, ...cells]) => (
                <TableRow key={key} sx={{ '&:last-child td': { borderBottom: 0 } }}>
                  {cells.map((cell, place) => (
                    <TableCell key={columns[place]} sx={shown(columns[place])}>
                      {cell}
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
    </Card>
  );
}
