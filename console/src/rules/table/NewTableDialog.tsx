import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import FormLabel from '@mui/material/FormLabel';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslate } from 'react-admin';
import { csvTable } from '../../csv/csv';
import type { Tables } from './useTables';

/** What a new table should be. */
export interface TableChoice {
  /** Of the file. */
  name: string;
  kind: 'lookup' | 'decision';
  /** Of a lookup table: its name for rules, and its key columns. */
  lookup: string;
  keys: readonly string[];
}

interface NewTableDialogProps {
  /** The code of the program. */
  program: string;
  file: { name: string; text: string };
  tables: Tables;
  onTake(choice: TableChoice): void;
  onClose(): void;
}

/** Names that the service takes for a file. */
const namePattern = /^[A-Za-z0-9][\w .()-]{0,120}\.csv$/;
const lookupPattern = /^[A-Z0-9][\w-]{0,63}$/i;

/** Asks what a chosen CSV file should be. Everything else is checked by the service, beside the rule. */
export function NewTableDialog({ program, file, tables, onTake, onClose }: NewTableDialogProps) {
  const translate = useTranslate();
  const { columns, rows } = useMemo(() => csvTable(file.text), [file.text]);
  const [name, setName] = useState(() => fitting(file.name));
  const [kind, setKind] = useState<TableChoice['kind']>('lookup');
  const [lookup, setLookup] = useState(() =>
    fitting(file.name)
      .replace(/\.csv$/, '')
      .replace(/[^\w-]+/g, '-'),
  );
  const [keys, setKeys] = useState<readonly string[]>(columns.slice(0, 1));
  const isTaken = tables.others.includes(`${program}/${name}`);
  const declaration = `${program}/${lookup}.json`;
  const isLookup = kind === 'lookup';
  const isLookupTaken = isLookup && tables.others.includes(declaration);
  const isFit =
    columns.length > 0 &&
    namePattern.test(name) &&
    !isTaken &&
    (!isLookup || (lookupPattern.test(lookup) && !isLookupTaken && keys.length > 0));
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth>
      <DialogTitle>{translate('rules.tables.newOne')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2, pt: '8px !important' }}>
        {columns.length === 0 ? <Alert severity="error">{translate('rules.tables.empty')}</Alert> : null}
        <Typography sx={{ overflowWrap: 'anywhere' }}>
          {translate('rules.tables.columns', { columns: columns.join(', ') })} ·{' '}
          {translate('rules.tables.rows', { smart_count: rows.length })}
        </Typography>
        <TextField
          label={translate('rules.tables.name')}
          value={name}
          error={isTaken || !namePattern.test(name)}
          helperText={translate(isTaken ? 'rules.tables.taken' : 'rules.tables.nameFaulty')}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          select
          label={translate('rules.tables.kind')}
          value={kind}
          onChange={({ target }) => setKind(target.value === 'decision' ? 'decision' : 'lookup')}
        >
          <MenuItem value="lookup">{translate('rules.tables.lookup')}</MenuItem>
          <MenuItem value="decision">{translate('rules.tables.decision')}</MenuItem>
        </TextField>
        {isLookup ? (
          <>
            <TextField
              label={translate('rules.tables.lookupName')}
              value={lookup}
              error={isLookupTaken || !lookupPattern.test(lookup)}
              helperText={isLookupTaken ? translate('rules.tables.lookupTaken', { path: declaration }) : undefined}
              onChange={({ target }) => setLookup(target.value)}
            />
            <Keys columns={columns} keys={keys} onChange={setKeys} />
          </>
        ) : (
          <Typography>{translate('rules.tables.begun')}</Typography>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button variant="contained" disabled={!isFit} onClick={() => onTake({ name, kind, lookup, keys })}>
          {translate('rules.tables.take')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface KeysProps {
  columns: readonly string[];
  keys: readonly string[];
  onChange(keys: readonly string[]): void;
}

/** Chooses the columns by which rules find a row, in the order of the file. */
function Keys({ columns, keys, onChange }: KeysProps) {
  const translate = useTranslate();
  const toggled = (name: string) => columns.filter((each) => (each === name) !== keys.includes(each));
  return (
    <FormGroup role="group" aria-labelledby="new-table-keys">
      <FormLabel id="new-table-keys">{translate('rules.tables.keys')}</FormLabel>
      {columns.map((name) => (
        <FormControlLabel
          key={name}
          label={name}
          control={<Checkbox checked={keys.includes(name)} onChange={() => onChange(toggled(name))} />}
        />
      ))}
    </FormGroup>
  );
}

/** The name of a chosen file with only the signs that the service takes. */
function fitting(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{Diacritic}/gu, '');
  const base = plain
    .replace(/\.[^.]*$/, '')
    .replace(/[^\w .()-]+/g, '-')
    .replace(/^[^A-Z0-9]+/i, '');
  return `${base || 'table'}.csv`;
}
