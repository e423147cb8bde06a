import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import type { FormTexts } from '../i18n/formTexts';
import { useFieldLabel } from '../i18n/useFieldLabel';

/** A field with two values. */
export interface Change {
  name: string;
  /** What the definition of the field says for forms. */
  texts?: FormTexts | undefined;
  before: unknown;
  after: unknown;
}

interface ChangesProps {
  changes: readonly Change[];
  /** The messages of the two columns; default: what is stored, and what will be. */
  titles?: readonly [string, string];
}

/** A table of fields with their values before and after; nothing when none differ. */
export function Changes({
  changes,
  titles: [before, after] = ['definitions.changes.before', 'definitions.changes.after'],
}: ChangesProps) {
  const translate = useTranslate();
  const label = useFieldLabel();
  if (changes.length === 0) return null;
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Typography variant="h3" component="h2" sx={{ mb: 0.5 }}>
        {translate('definitions.changes.title', { smart_count: changes.length })}
      </Typography>
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell>{translate('filter.field')}</TableCell>
            <TableCell>{translate(before)}</TableCell>
            <TableCell>{translate(after)}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {changes.map((change) => (
            <TableRow key={change.name}>
              <TableCell component="th" scope="row">
                {label(change)}
              </TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>{inWords(change.before)}</TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere', fontWeight: 600 }}>{inWords(change.after)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

/** A value as a string. */
export function inWords(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'string') return value;
  return partsInWords(value) ?? JSON.stringify(value);
}

/** An object or list of simple values, such as an address; undefined when a part has parts of its own. */
export function partsInWords(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const parts = Object.entries(value).filter(([, part]) => part !== undefined && part !== null && part !== '');
  if (parts.some(([, part]) => typeof part === 'object')) return undefined;
  const texts = parts.map(([name, part]) => (Array.isArray(value) ? String(part) : `${name}: ${String(part)}`));
  return texts.join(', ') || '–';
}
