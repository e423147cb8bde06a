import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import {
  DataTable,
  ListBase,
  Loading,
  Pagination,
  type RaRecord,
  ResourceContextProvider,
  useLocale,
  useRecordContext,
  useTranslate,
} from 'react-admin';
import { FilterBar } from '../definitions/list/FilterBar';
import { useDocument } from '../definitions/schema/document';
import { shownFields } from '../definitions/schema/shape';
import { useFieldLabel } from '../i18n/useFieldLabel';
import { Moment } from '../time/Moment';
import { countsInWords } from './countsInWords';

/** The runs of jobs: when, how long, what they did, and why they failed. */
export default function RunsPage() {
  const label = useFieldLabel();
  const document = useDocument();
  if (!document) return <Loading />;
  const wanted = new Set(['name', 'startedAt', 'finishedAt', 'durationMs', 'error', 'host', 'pid']);
  const fields = shownFields(document, 'jobs').filter(({ name }) => wanted.has(name));
  return (
    <ResourceContextProvider value="jobs">
      <ListBase resource="jobs" perPage={50} sort={{ field: '_id', order: 'DESC' }} disableAuthentication>
        <FilterBar search="name" fields={fields} />
        <Card>
          <DataTable
            bulkActionButtons={false}
            rowClick={false}
            sx={{ '& .RaDataTable-tableWrapper': { overflowX: 'auto' } }}
          >
            <DataTable.Col source="name" label={label('name')} />
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
          </DataTable>
          <Pagination rowsPerPageOptions={[50, 200, 1000]} />
        </Card>
      </ListBase>
    </ResourceContextProvider>
  );
}

function Started() {
  return <Moment at={useRecordContext()?.startedAt} />;
}

function Took() {
  const locale = useLocale();
  const ms: unknown = useRecordContext()?.durationMs;
  return <>{typeof ms === 'number' ? `${(ms / 1000).toLocaleString(locale)} s` : '–'}</>;
}

function Did() {
  const translate = useTranslate();
  const { counts = {}, error, finishedAt }: Partial<RaRecord> = useRecordContext() ?? {};
  if (error) return <Chip size="small" color="error" label={error} />;
  if (!finishedAt) return <>{translate('operations.runs.running')}</>;
  return <>{countsInWords(counts) || '–'}</>;
}
