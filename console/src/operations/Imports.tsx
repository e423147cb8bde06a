import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useLocale, useNotify, useTranslate } from 'react-admin';
import { client } from '../api/client';
import { faultText } from '../api/faultText';
import { DataCard } from '../app/DataCard';
import { useFailureText } from '../i18n/useFailureText';
import { useServiceMessage } from '../i18n/useServiceMessage';
import { may } from '../session/session';
import { DateTime } from '../time/DateTime';
import { download } from './download';

type Import = components['schemas']['Import'];

/** How often the progress of imports is polled while one runs, in milliseconds. */
const everyMs = 1500;

/** How many of the rows that repeat a key are named. */
const shownWarnings = 5;

/** The latest imports: their progress and counts, the rows that failed, and a button to stop one. */
export function Imports() {
  const translate = useTranslate();
  const locale = useLocale();
  const { data = [] } = useQuery({
    queryKey: ['imports'],
    queryFn: () => result(client.GET('/api/v1/imports', { params: { query: { sort: ['-_id'], limit: 20 } } })),
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'Running') ? everyMs : false),
  });
  const t = (key: string) => translate(`operations.files.${key}`);
  const number = (value = 0) => value.toLocaleString(locale);
  return (
    <DataCard
      title={t('imports')}
      empty={t('none')}
      columns={[t('begun'), t('kind'), t('status'), t('rows'), t('created'), t('updated'), t('unchanged'), t('failed')]}
      fromMedium={[t('rows'), t('created'), t('updated'), t('unchanged')]}
      rows={data.map((each) => [
        each._id,
        <DateTime key="at" at={each.createdAt} />,
        `${t(`kinds.${each.kind}`)}${each.dryRun ? ` (${t('dry')})` : ''}`,
        <Status key="status" of={each} />,
        ...[each.rows, each.created, each.updated, each.unchanged].map(number),
        <div key="failed">
          <Failed of={each} />
          <Warnings of={each} />
        </div>,
      ])}
    />
  );
}

function Status({ of }: { of: Import }) {
  const translate = useTranslate();
  const failureText = useFailureText();
  const notify = useNotify();
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => result(client.POST('/api/v1/imports/{id}/stop', { params: { path: { id: of._id } } })),
    onError: (error) => notify(faultText(error, translate), { type: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['imports'] }),
  });
  const status = translate(`operations.files.statuses.${of.status}`);
  const { error, fault } = of;
  if (of.status !== 'Running') return <>{error ? `${status}: ${failureText({ error, fault })}` : status}</>;
  const share = of.bytes ? ((of.bytesRead ?? 0) / of.bytes) * 100 : 0;
  return (
    <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
      <LinearProgress
        variant="determinate"
        value={share}
        aria-label={translate('operations.files.progress')}
        sx={{ width: 80 }}
      />
      {may('imports:create') ? (
        <Button size="small" loading={isPending} onClick={() => mutate()}>
          {translate('operations.files.stop')}
        </Button>
      ) : null}
      <Waiting of={of} />
    </Stack>
  );
}

/** Why an import does not continue at present, and when it is tried again. */
function Waiting({ of: { waiting } }: { of: Import }) {
  const translate = useTranslate();
  const text = useServiceMessage();
  if (!waiting) return null;
  return (
    <Typography variant="body2" color="warning.main" sx={{ overflowWrap: 'anywhere' }}>
      {text({ ...waiting, message: waiting.reason })} ({translate('operations.files.nextTry')}{' '}
      <DateTime at={waiting.nextTryAt} />)
    </Typography>
  );
}

/** Says of which rows the key stood in the file before. */
function Warnings({ of: { warned, warnings = [] } }: { of: Import }) {
  const translate = useTranslate();
  const locale = useLocale();
  if (!warned) return null;
  const lines = warnings
    .slice(0, shownWarnings)
    .map((each) => translate('operations.files.repeatedLine', { ...each }))
    .join(', ');
  const more = warned > shownWarnings ? ' …' : '';
  return (
    <Typography variant="body2" color="warning.main" sx={{ overflowWrap: 'anywhere' }}>
      {translate('operations.files.repeated', { count: warned.toLocaleString(locale), lines: lines + more })}
    </Typography>
  );
}

/** How many rows failed, with the file that has them. */
function Failed({ of }: { of: Import }) {
  const translate = useTranslate();
  const notify = useNotify();
  const locale = useLocale();
  if (!of.failed) return <>0</>;
  const save = () =>
    download(
      `/api/v1/imports/${of._id}/errors${of.format === 'csv' ? '?bom=true' : ''}`,
      `errors-${of.kind}.${of.format}`,
    ).catch((error: unknown) => notify(faultText(error, translate), { type: 'error' }));
  return (
    <Button size="small" onClick={() => void save()}>
      {of.failed.toLocaleString(locale)}: {translate('operations.files.errors')}
    </Button>
  );
}
