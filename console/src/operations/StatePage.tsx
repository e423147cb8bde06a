import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { Loading, useLocale, useTranslate } from 'react-admin';
import { client } from '../api/client';
import { DataCard } from '../app/DataCard';
import { Fault } from '../app/unread/Fault';
import { isUnreached } from '../app/unread/isUnreached';
import { DateTime } from '../time/DateTime';
import { RuleSetState } from './RuleSetState';
import { Timers } from './Timers';

/** How often the state is polled, in milliseconds. */
const everyMs = 5000;

/** How timers, queues, the inbox, the rules and the processes are, now. */
export function StatePage() {
  const translate = useTranslate();
  const locale = useLocale();
  const { data, error } = useQuery({
    queryKey: ['jobs', 'state'],
    queryFn: () => result(client.GET('/api/v1/jobs/state')),
    refetchInterval: everyMs,
  });
  if (!data) return error ? <Fault error={error} /> : <Loading />;
  const { queues, inbox, processes } = data;
  const number = (value: number) => value.toLocaleString(locale);
  const t = (key: string) => translate(`operations.state.${key}`);
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(12, minmax(0, 1fr))', '& > *': halfFromMedium }}>
      {error && !isUnreached(error) ? (
        <Box sx={wide}>
          <Fault error={error} />
        </Box>
      ) : null}
      <Box sx={wide}>
        <Timers timers={data.timers} />
      </Box>
      <DataCard
        title={t('inbox')}
        empty={t('inboxEmpty')}
        columns={[t('waiting'), t('oldest')]}
        rows={inbox.waiting === 0 ? [] : [['inbox', number(inbox.waiting), <DateTime key="at" at={inbox.oldestAt} />]]}
      />
      <RuleSetState />
      <Box sx={wide}>
        <DataCard
          title={t('queues')}
          empty={t('queuesAway')}
          columns={[t('queue'), t('waiting'), t('active'), t('delayed'), t('failed')]}
          rows={(queues ?? []).map(({ name, waiting, active, delayed, failed }) => [
            name,
            t(`queueNames.${name}`),
            ...[waiting, active, delayed, failed].map(number),
          ])}
        />
      </Box>
      <Box sx={wide}>
        <DataCard
          title={t('processes')}
          empty={t('processesNone')}
          columns={[t('host'), t('role'), t('version'), t('rulesUsed'), t('lastSeen')]}
          rows={processes.map(({ host, pid, role, version, build, lastSeen, ruleSetVersion }) => [
            `${host} ${pid}`,
            `${host} (${pid})`,
            role,
            `${version} ${build}`,
            ruleSetVersion === null ? '–' : `${t('version')} ${number(ruleSetVersion)}`,
            <DateTime key="seen" at={lastSeen} />,
          ])}
        />
      </Box>
    </Box>
  );
}

const halfFromMedium = { gridColumn: { xs: 'span 12', lg: 'span 6' } };
const wide = { gridColumn: '1 / -1 !important' };
