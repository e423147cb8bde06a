import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useCallback, useRef } from 'react';
import { useTranslate } from 'react-admin';
import { ColumnChoice } from './ColumnChoice';
import { Constants } from './Constants';
import { FirstRowsTable } from './FirstRowsTable';
import { Forms } from './Forms';
import type { ImportKind } from './importFields';
import { KeptMappings } from './KeptMappings';
import type { FaultOf } from './mappingFaults';
import { namedTwice } from './proposeFields';
import { type FirstRows, isWithoutHead } from './readFirstRows';
import type { FileMapping } from './useFileMapping';

interface MappingEditorProps {
  rows: FirstRows;
  kind: ImportKind;
  mapping: FileMapping;
  faultOf: FaultOf;
}

/** What the columns of a file are: its first rows, a field for each column, and how its cells are written. */
export function MappingEditor({ rows, kind, mapping, faultOf }: MappingEditorProps) {
  const translate = useTranslate();
  const { fields, draft, proposal, change } = mapping;
  const choices = [...fields.forms.keys()];
  return (
    <Stack sx={{ gap: 2, mt: 3, minWidth: 0 }}>
      <Doubts rows={rows} />
      <FirstRowsTable rows={rows} />
      <KeptMappings mapping={mapping} kind={kind} />
      <Typography variant="h3" id="mapping-columns">
        {translate('operations.mapping.columns')}
      </Typography>
      <Columns {...{ rows, mapping, choices, faultOf }} />
      <Constants
        {...{ choices, faultOf, constants: draft.constants }}
        onChange={(constants) => change({ ...draft, constants })}
      />
      <Forms {...{ draft, faultOf, proposal, fields }} onChange={(changed) => change(changed)} />
    </Stack>
  );
}

/** A choice for each name of a column. */
function Columns({ rows, mapping, choices, faultOf }: Omit<MappingEditorProps, 'kind'> & { choices: string[] }) {
  const latest = useRef(mapping);
  latest.current = mapping;
  const put = useCallback((column: string, field: string) => {
    const { draft, change } = latest.current;
    change({ ...draft, fields: new Map(draft.fields).set(column, field) });
  }, []);
  return (
    <Stack component="ul" aria-labelledby="mapping-columns" sx={{ gap: 2, m: 0, p: 0 }}>
      {[...mapping.draft.fields].map(([column, field]) => (
        <ColumnChoice
          key={column}
          {...{ column, field, choices }}
          sample={sampleOf(rows, column)}
          fault={faultOf(column.slice(0, 100), `map[${column}]`)}
          onChange={put}
        />
      ))}
    </Stack>
  );
}

/** The first cell of a column that is not empty. */
function sampleOf({ columns, rows }: FirstRows, column: string): string {
  const place = columns.indexOf(column);
  return rows.find((row) => (row[place] ?? '').trim() !== '')?.[place] ?? '';
}

/** The most columns of a file (docs/design/bulk.md). */
const columnsMax = 200;

/** What is strange about a file as a whole. */
function Doubts({ rows }: { rows: FirstRows }) {
  const translate = useTranslate();
  const { columns } = rows;
  const twice = namedTwice(columns);
  const unnamed = columns.indexOf('') + 1;
  const doubts = [
    ...(columns.length > columnsMax ? ['tooMany'] : []),
    ...(rows.isGarbled ? ['garbled'] : []),
    ...(isWithoutHead(rows) ? ['withoutHead'] : []),
    ...(unnamed > 0 ? ['unnamed'] : []),
    ...(twice.length > 0 ? ['twice'] : []),
  ];
  if (doubts.length === 0) return null;
  return (
    <Box>
      {doubts.map((doubt) => (
        <Alert key={doubt} severity="warning" sx={{ mb: 1 }}>
          {translate(`operations.mapping.doubts.${doubt}`, { n: unnamed, names: twice.join(', ') })}
        </Alert>
      ))}
    </Box>
  );
}
