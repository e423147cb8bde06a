import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { paths } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useLocale, useNotify, useTranslate } from 'react-admin';
import { client } from '../api/client';
import { faultText } from '../api/faultText';
import { DataCard } from '../app/DataCard';
import { useFailureText } from '../i18n/useFailureText';
import { may } from '../session/session';
import { DateTime } from '../time/DateTime';
import { countsInWords } from './countsInWords';

type State = paths['/api/v1/jobs/state']['get']['responses']['200']['content']['application/json'];

/** The timers: how often they run, when they last succeeded, when they are due; and a button to run each now. */
export function Timers({ timers }: { timers: State['timers'] }) {
  const translate = useTranslate();
  const t = (key: string, options?: Record<string, unknown>) => translate(`operations.state.${key}`, options);
  return (
    <DataCard
      title={t('timers')}
      empty=""
      columns={[t('timer'), t('every'), t('lastFinished'), t('next'), ...(may('jobs:run') ? [t('now')] : [])]}
      fromMedium={[t('every'), t('next')]}
      rows={timers.map(({ name, everyMs, lastFinishedAt, nextAt, isOverdue }) => [
        name,
        <>
          {t(`timerNames.${name}`, { _: name })}{' '}
          {isOverdue ? <Chip size="small" color="error" label={t('overdue')} /> : null}
        </>,
        <Every key="every" ms={everyMs} />,
        <DateTime key="last" at={lastFinishedAt} />,
        <DateTime key="next" at={nextAt} />,
        ...(may('jobs:run') ? [<RunNow key="run" name={name} />] : []),
      ])}
    />
  );
}

/** A period in words: `30 seconds`. */
function Every({ ms }: { ms: number }) {
  const locale = useLocale();
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
  ] as const;
  const [unit, length] = units.find(([, each]) => ms % each === 0) ?? ['second', 1000];
  return <>{new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(ms / length)}</>;
}

/** Runs a job and says what it did. */
function RunNow({ name }: { name: string }) {
  const translate = useTranslate();
  const notify = useNotify();
  const queries = useQueryClient();
  const failureText = useFailureText();
  const title = translate(`operations.state.timerNames.${name}`, { _: name });
  const { mutate, isPending } = useMutation({
    mutationFn: () => result(client.POST('/api/v1/jobs/{name}/run', { params: { path: { name } } })),
    onSuccess: ({ counts, error, fault }) => {
      const done = countsInWords(counts, translate) || translate('operations.state.nothingDue');
      if (error === null) notify(`${title}: ${done}`, { type: 'success' });
      else notify(failureText({ error, fault }), { type: 'error' });
    },
    onError: (error) => notify(faultText(error, translate), { type: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['jobs'] }),
  });
  return (
    <Button
      size="small"
      loading={isPending}
      onClick={() => mutate()}
      aria-label={`${translate('operations.state.run')}: ${title}`}
    >
      {translate('operations.state.run')}
    </Button>
  );
}
