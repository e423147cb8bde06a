import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import InputBase from '@mui/material/InputBase';
import MuiTable from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TablePagination from '@mui/material/TablePagination';
import TableRow from '@mui/material/TableRow';
import { useState } from 'react';
import { useTranslate } from 'react-admin';

/** Rows on a page of a grid: more inputs at once would be slow. */
const rowsPerPage = 50;

interface GridProps {
  label: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  isReadOnly: boolean;
  onCell(row: number, column: number, text: string): void;
  onAdd(): void;
  onRemove(row: number): void;
}

/** A table with editable cells. */
export function Grid({ label, columns, rows, isReadOnly, onCell, onAdd, onRemove }: GridProps) {
  const translate = useTranslate();
  const [page, setPage] = useState(0);
  const first = Math.min(page, Math.max(Math.ceil(rows.length / rowsPerPage) - 1, 0)) * rowsPerPage;
  return (
    <>
      <Box sx={{ overflowX: 'auto' }}>
        <MuiTable size="small" aria-label={label}>
          <TableHead>
            <TableRow>
              {columns.map((column) => (
                <TableCell key={column}>{column}</TableCell>
              ))}
              <TableCell>{translate('rules.tables.row')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.slice(first, first + rowsPerPage).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids; their places are what they are
              <TableRow key={first + index}>
                {columns.map((column, at) => (
                  <TableCell key={column} sx={{ p: 0.5 }}>
                    <InputBase
                      value={row[at] ?? ''}
                      disabled={isReadOnly}
                      sx={{ px: 1, minWidth: 80, width: '100%' }}
                      slotProps={{
                        input: { 'aria-label': translate('rules.tables.cell', { column, row: first + index + 1 }) },
                      }}
                      onChange={({ target }) => onCell(first + index, at, target.value)}
                    />
                  </TableCell>
                ))}
                <TableCell sx={{ p: 0.5 }}>
                  <IconButton
                    size="small"
                    disabled={isReadOnly}
                    aria-label={translate('rules.tables.remove', { row: first + index + 1 })}
                    onClick={() => onRemove(first + index)}
                  >
                    <DeleteIcon fontSize="small" />
                  </IconButton>
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </MuiTable>
      </Box>
      {rows.length > rowsPerPage ? (
        <TablePagination
          component="div"
          count={rows.length}
          page={first / rowsPerPage}
          rowsPerPage={rowsPerPage}
          rowsPerPageOptions={[rowsPerPage]}
          onPageChange={(_event, next) => setPage(next)}
        />
      ) : null}
      {isReadOnly ? null : (
        <Button size="small" startIcon={<AddIcon />} onClick={onAdd}>
          {translate('rules.tables.add')}
        </Button>
      )}
    </>
  );
}
