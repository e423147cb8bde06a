import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import type { Change } from '../draft/ruleText';
import { SchemaField } from '../form/SchemaField';
import { FactChoice } from '../inputs/FactChoice';
import { fieldRow } from '../inputs/fieldRow';
import { RuleFormProvider, useRuleForm } from '../inputs/RuleFormContext';
import { TextChoice } from '../inputs/TextChoice';
import { isObject } from '../schema/fieldShape';
import { comparing, type RuleSchema } from '../schema/knownFacts';

interface TableColumnsProps {
  /** The columns of the decision table of the rule, by name. */
  value: unknown;
  schema: RuleSchema;
  isReadOnly: boolean;
  onChange(change: Change): void;
}

type Column = Readonly<Record<string, unknown>>;

/** What each column of a decision table is for: a fact that it is compared with, or a field that it sets. */
export function TableColumns({ value, schema, isReadOnly, onChange }: TableColumnsProps) {
  const translate = useTranslate();
  const tools = useMemo(
    () => ({ schema, isReadOnly, change: onChange, Field: SchemaField }),
    [schema, isReadOnly, onChange],
  );
  const columns = Object.entries(isObject(value) ? value : {});
  return (
    <RuleFormProvider value={tools}>
      <Stack component="section" sx={{ gap: 1.5 }} aria-labelledby="table-columns">
        <Typography variant="h2" id="table-columns">
          {translate('rules.tables.columnsOf')}
        </Typography>
        <Typography color="textSecondary">{translate('rules.tables.begun')}</Typography>
        {columns.map(([name, column]) => (
          <OneColumn key={name} name={name} column={isObject(column) ? column : {}} />
        ))}
      </Stack>
    </RuleFormProvider>
  );
}

const purposes = ['compared', 'sets'] as const;

function OneColumn({ name, column }: { name: string; column: Column }) {
  const translate = useTranslate();
  const { change, isReadOnly } = useRuleForm();
  const set = (value: Column) => change({ path: ['table', 'columns', name], value });
  const purpose = 'set' in column ? 'sets' : 'fact' in column ? 'compared' : '';
  return (
    <Stack direction="row" sx={fieldRow} role="group" aria-label={name}>
      <TextField
        select
        label={name}
        value={purpose}
        disabled={isReadOnly}
        onChange={({ target }) =>
          set(target.value === 'sets' ? { set: '$.actions[0].points' } : { ...begun, operator: 'equal' })
        }
      >
        {purposes.map((each) => (
          <MenuItem key={each} value={each}>
            {translate(`rules.tables.${each}`)}
          </MenuItem>
        ))}
      </TextField>
      {purpose === 'sets' ? (
        <TextChoice
          label={translate('rules.tables.field')}
          value={String(column.set)}
          values={[]}
          isClosed={false}
          isReadOnly={isReadOnly}
          onChange={(field = '') => set({ ...column, set: field })}
        />
      ) : null}
      {purpose === 'compared' ? <Compared column={column} onChange={set} /> : null}
    </Stack>
  );
}

const begun = { fact: 'activity', path: '$.value' };

function Compared({ column, onChange }: { column: Column; onChange(column: Column): void }) {
  const translate = useTranslate();
  const { schema, isReadOnly } = useRuleForm();
  const { fact, path, params: _params, operator, ...others } = column;
  const known = comparing(schema, String(fact), typeof path === 'string' ? path : undefined)?.operators ?? [];
  const present = String(operator ?? '');
  const isKnown = known.some(({ name }) => name === present);
  return (
    <>
      <FactChoice
        label={translate('rules.conditions.fact')}
        value={column}
        onChange={(next) => onChange({ ...others, ...(isObject(next) ? next : {}), operator: present })}
      />
      <TextField
        select
        label={translate('rules.conditions.operator')}
        value={present}
        disabled={isReadOnly}
        onChange={({ target }) => onChange({ ...column, operator: target.value })}
      >
        {(isKnown ? known : [{ name: present, description: present }, ...known]).map(({ name, description }) => (
          <MenuItem key={name} value={name}>
            {translate(`rules.operators.${name}`, { _: description || name })}
          </MenuItem>
        ))}
      </TextField>
    </>
  );
}
