import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useLocale, useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { DataCard } from '../../app/DataCard';
import type { ServiceMessage } from '../../i18n/serviceMessage';
import { useFailureText } from '../../i18n/useFailureText';
import { useServiceMessage } from '../../i18n/useServiceMessage';
import { cut } from './FirstRowsTable';

type Import = components['schemas']['Import'];

const everyMs = 1000;
const shownFailures = 20;
/** How much of the file of failed rows is read to show the first of them. */
const readBytes = 262_144;

/** The outcome of an import that was just begun: its counts, and the first rows that failed, with why. */
export function ImportOutcome({ id, onImport }: { id: string; onImport(): void }) {
  const translate = useTranslate();
  const failureText = useFailureText();
  const locale = useLocale();
  const { data: job } = useQuery({
    queryKey: ['imports', 'outcome', id],
    queryFn: ({ signal }) => result(client.GET('/api/v1/imports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (!state.data || state.data.status === 'Running' ? everyMs : false),
  });
  if (!job || job.status === 'Running') return null;
  const counts = Object.fromEntries(
    (['created', 'updated', 'unchanged', 'failed'] as const).map((name) => [
      name,
      (job[name] ?? 0).toLocaleString(locale),
    ]),
  );
  const isGood = job.status === 'Done' && !job.failed;
  return (
    <Stack sx={{ gap: 2, mt: 2 }}>
      <Alert severity={isGood ? 'success' : 'warning'}>
        {translate(`operations.mapping.${job.dryRun ? 'wouldBe' : 'was'}`, counts)}
        {job.error ? ` ${failureText({ error: job.error, fault: job.fault })}` : ''}
      </Alert>
      {job.failed ? <FailedRows job={job} /> : null}
      {job.dryRun && job.status === 'Done' ? (
        <Button variant="contained" onClick={onImport} sx={{ alignSelf: 'flex-start' }}>
          {translate('operations.mapping.importNow')}
        </Button>
      ) : null}
    </Stack>
  );
}

function FailedRows({ job: { _id: id } }: { job: Import }) {
  const translate = useTranslate();
  const text = useServiceMessage();
  const { data: rows = [] } = useQuery({
    queryKey: ['imports', 'failed', id],
    queryFn: ({ signal }) => readFailed(id, signal),
  });
  const t = (key: string) => translate(`operations.mapping.${key}`);
  return (
    <DataCard
      title={t('failedRows')}
      empty=""
      columns={[t('line'), t('why'), t('row')]}
      rows={rows.map(({ '#line': line, '#errors': errors, ...cells }) => [
        String(line),
        String(line),
        errors.map((error) => `${error.path} ${text(error)}`.trim()).join('; '),
        Object.values(cells)
          .map((cell) => cut(String(cell)))
          .join(' · '),
      ])}
    />
  );
}

/** A row that failed, with its line and its faults. */
interface FailedRow extends Record<string, unknown> {
  '#line': number;
  '#errors': (ServiceMessage & { path: string })[];
}

/** Reads the first failed rows, however many there are. */
async function readFailed(id: string, signal: AbortSignal): Promise<FailedRow[]> {
  const params = { path: { id }, query: { format: 'ndjson' as const } };
  const stream = await result(client.GET('/api/v1/imports/{id}/errors', { params, parseAs: 'stream', signal }));
  const reader = (stream as unknown as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < readBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  // The last line may be cut.
  const lines = text.split('\n').slice(0, -1);
  return lines.slice(0, shownFailures).map((line) => withoutText(JSON.parse(line) as FailedRow));
}

/** The faults in one text are for programs that read no lists. */
function withoutText({ '#fault': _text, ...row }: FailedRow): FailedRow {
  return row;
}
