import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import { FileButton } from '../../app/FileButton';
import { csvTable, csvText } from '../../csv/csv';
import { download } from '../parts/download';
import { Grid } from './Grid';
import type { Table } from './useTables';

interface CsvGridProps {
  table: Table;
  isReadOnly: boolean;
  onChange(text: string): void;
}

/** A CSV file as a grid. Another file may take its place. */
export function CsvGrid({ table, isReadOnly, onChange }: CsvGridProps) {
  const translate = useTranslate();
  const { columns, rows } = useMemo(() => csvTable(table.text), [table.text]);
  const write = (next: string[][]) => onChange(csvText({ columns, rows: next }));
  return (
    <>
      <Stack direction="row" sx={{ gap: 1, mb: 1 }}>
        {isReadOnly ? null : (
          <FileButton size="small" accept=".csv,text/csv" onFile={(file) => void file.text().then(onChange)}>
            {translate('rules.tables.upload')}
          </FileButton>
        )}
        <Button size="small" onClick={() => download(table.path.split('/').at(-1) ?? 'table.csv', table.text)}>
          {translate('rules.tables.download')}
        </Button>
      </Stack>
      <Grid
        label={table.path}
        columns={columns}
        rows={rows}
        isReadOnly={isReadOnly}
        onCell={(row, column, text) =>
          write(
            rows.map((cells, at) => (at === row ? cells.map((cell, each) => (each === column ? text : cell)) : cells)),
          )
        }
        onAdd={() => write([...rows, columns.map(() => '')])}
        onRemove={(row) => write(rows.filter((_cells, at) => at !== row))}
      />
    </>
  );
}
