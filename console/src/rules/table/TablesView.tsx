import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import type { RuleFields } from '../draft/parsedRule';
import type { RuleDraft } from '../draft/useRuleDraft';
import { isObject } from '../schema/fieldShape';
import type { RuleSchema } from '../schema/knownFacts';
import { CsvGrid } from './CsvGrid';
import { Grid } from './Grid';
import { NewTable } from './NewTable';
import { TableColumns } from './TableColumns';
import { cellValue, csvOf, ruleTableOf } from './tableRows';
import type { Tables } from './useTables';

interface TablesViewProps {
  draft: RuleDraft;
  tables: Tables;
  rule: RuleFields;
  schema: RuleSchema;
  isReadOnly: boolean;
}

/** The decision table of the rule, and the CSV files of its program: decision tables and lookup tables. */
export default function TablesView({ draft, tables, rule, schema, isReadOnly }: TablesViewProps) {
  const translate = useTranslate();
  const own = ruleTableOf(rule.table);
  const csv = csvOf(rule.table);
  const beside = csv === undefined ? undefined : `${draft.path.split('/')[0]}/${csv}`;
  const ordered = [...tables.paths].sort((a, b) => Number(b === beside) - Number(a === beside));
  return (
    <Stack sx={{ gap: 3 }}>
      {isReadOnly ? null : (
        <NewTable program={draft.path.split('/')[0] ?? ''} rule={rule} tables={tables} onChange={draft.change} />
      )}
      {isObject(rule.table) ? (
        <TableColumns value={rule.table.columns} onChange={draft.change} {...{ schema, isReadOnly }} />
      ) : null}
      {own ? (
        <section aria-labelledby="own-table">
          <Typography variant="h2" id="own-table">
            {translate('rules.tables.own')}
          </Typography>
          <Grid
            label={translate('rules.tables.own')}
            {...own}
            isReadOnly={isReadOnly}
            onCell={(row, column, text) =>
              draft.change({ path: ['table', 'rows', row, own.columns[column] ?? ''], value: cellValue(text) })
            }
            onAdd={() => draft.change({ path: ['table', 'rows', own.rows.length], value: {} })}
            onRemove={(row) => draft.change({ path: ['table', 'rows', row], value: undefined })}
          />
        </section>
      ) : null}
      {ordered.map((path) => {
        const table = tables.all.find((each) => each.path === path);
        return (
          <section key={path} aria-label={path}>
            <Typography variant="h2">{path}</Typography>
            {tables.added.some((each) => each.path === path) ? (
              <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
                <Typography color="textSecondary">{translate('rules.tables.isNew')}</Typography>
                <Button size="small" onClick={() => tables.leaveOut(path)}>
                  {translate('rules.tables.leaveOut')}
                </Button>
              </Stack>
            ) : null}
            {table ? (
              <CsvGrid table={table} isReadOnly={isReadOnly} onChange={(text) => tables.setText(path, text)} />
            ) : (
              <Button disabled={tables.isPending} onClick={() => tables.open(path)}>
                {translate('rules.tables.open')}
              </Button>
            )}
          </section>
        );
      })}
      {!own && ordered.length === 0 ? <Alert severity="info">{translate('rules.tables.none')}</Alert> : null}
    </Stack>
  );
}
