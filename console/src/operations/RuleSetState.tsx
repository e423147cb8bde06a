import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../api/client';
import { DataCard } from '../app/DataCard';
import { DateTime } from '../time/DateTime';

/**
 * The rules in force: their version, since when, and the faults of the files at the last load. Each process reads the
 * version in force with each activity; the list of processes tells which one it used last.
 */
export function RuleSetState() {
  const translate = useTranslate();
  const t = (key: string) => translate(`operations.state.${key}`);
  const { data } = useQuery({
    queryKey: ['rulesets', 'current'],
    queryFn: () => result(client.GET('/api/v1/rulesets/current')),
  });
  if (!data) return <DataCard title={t('rules')} columns={[]} rows={[]} empty={t('rulesNone')} />;
  const { version, rules, publishedAt, errors, scheduled = [] } = data;
  return (
    <DataCard
      title={t('rules')}
      empty={t('rulesNone')}
      columns={[t('version'), t('ruleCount'), t('since'), t('faults'), t('scheduled')]}
      rows={
        version === null
          ? []
          : [['current', version, rules, <DateTime key="at" at={publishedAt} />, errors.length, scheduled.length]]
      }
    />
  );
}
