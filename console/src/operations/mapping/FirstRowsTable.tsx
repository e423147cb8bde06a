import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import type { FirstRows } from './readFirstRows';

const shownRows = 4;
const shownColumns = 40;
const shownCharacters = 60;

/** The first rows of a file as a table, of whatever width and length its cells are. */
export function FirstRowsTable({ rows: { columns, rows } }: { rows: FirstRows }) {
  const translate = useTranslate();
  const shown = columns.slice(0, shownColumns);
  const more = columns.length - shown.length;
  return (
    <>
      <Typography variant="h3" id="first-rows">
        {translate('operations.mapping.firstRows')}
      </Typography>
      {/* A region that scrolls must be reachable with the keyboard. */}
      <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-labelledby="first-rows">
        <Table size="small">
          <TableHead>
            <TableRow>
              {shown.map((column, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity, and may have one name
                <TableCell key={place}>
                  {cut(column) || translate('operations.mapping.noName', { n: place + 1 })}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.slice(0, shownRows).map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
              <TableRow key={line}>
                {shown.map((_column, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above
                  <TableCell key={place}>{cut(row[place] ?? '')}</TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
      {more > 0 ? (
        <Typography variant="body2">{translate('operations.mapping.moreColumns', { more })}</Typography>
      ) : null}
      {rows.length === 0 ? <Typography variant="body2">{translate('operations.mapping.noRows')}</Typography> : null}
    </>
  );
}

/** A cell in the length that a table can show. */
export function cut(cell: string): string {
  return cell.length > shownCharacters ? `${cell.slice(0, shownCharacters)}…` : cell;
}
