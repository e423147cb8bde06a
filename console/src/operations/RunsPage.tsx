import Chip from '@mui/material/Chip';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useState } from 'react';
import { DataTable, type RaRecord, useLocale, useRecordContext, useTranslate } from 'react-admin';
import { FilteredList } from '../definitions/list/FilteredList';
import { useFailureText } from '../i18n/useFailureText';
import { useFieldLabel } from '../i18n/useFieldLabel';
import { DateTime } from '../time/DateTime';
import { countsInWords } from './countsInWords';

const filters = new Set(['name', 'startedAt', 'finishedAt', 'durationMs', 'error', 'host', 'pid']);
const failed = { query: JSON.stringify({ error: { $exists: true } }) };

/** The runs of jobs: when, how long, what they did, and why they failed. */
export default function RunsPage() {
  const translate = useTranslate();
  const [isFailedOnly, setFailedOnly] = useState(false);
  const label = useFieldLabel();
  const onlyFailed = (
    <FormControlLabel
      control={<Switch checked={isFailedOnly} onChange={({ target }) => setFailedOnly(target.checked)} />}
      label={translate('operations.runs.failedOnly')}
      sx={{ mb: 1 }}
    />
  );
  return (
    <FilteredList
      resource="jobs"
      search="name"
      hasFilter={(name) => filters.has(name)}
      sort={{ field: '_id', order: 'DESC' }}
      {...(isFailedOnly ? { filter: failed } : {})}
      above={onlyFailed}
    >
      <DataTable.Col source="name" label={label('name')}>
        <Name />
      </DataTable.Col>
      <DataTable.Col source="startedAt" label={label('startedAt')}>
        <Started />
      </DataTable.Col>
      <DataTable.Col source="durationMs" label={label('durationMs')}>
        <Took />
      </DataTable.Col>
      <DataTable.Col source="counts" label={label('counts')} disableSort>
        <Did />
      </DataTable.Col>
      <DataTable.Col source="host" label={label('host')} />
    </FilteredList>
  );
}

/** What the job is for, with the name that filters and the API have. */
function Name() {
  const translate = useTranslate();
  const name = String(useRecordContext()?.name);
  const title = translate(`operations.state.timerNames.${name}`, { _: name });
  return <>{title.toLowerCase() === name ? title : `${title} (${name})`}</>;
}

function Started() {
  return <DateTime at={useRecordContext()?.startedAt} />;
}

function Took() {
  const locale = useLocale();
  const ms: unknown = useRecordContext()?.durationMs;
  return <>{typeof ms === 'number' ? `${(ms / 1000).toLocaleString(locale)} s` : '–'}</>;
}

function Did() {
  const translate = useTranslate();
  const failureText = useFailureText();
  const { counts = {}, error, fault, finishedAt }: Partial<RaRecord> = useRecordContext() ?? {};
  if (error) return <Chip size="small" color="error" label={failureText({ error, fault })} />;
  if (!finishedAt) return <>{translate('operations.runs.running')}</>;
  return <>{countsInWords(counts, translate) || '–'}</>;
}
