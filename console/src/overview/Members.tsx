import { useLocale, useTranslate } from 'react-admin';
import { DataCard } from '../app/DataCard';
import type { MemberReport } from './answers';

/** How many members have each level, and their share of all. */
export function Members({ members }: { members: MemberReport | undefined }) {
  const translate = useTranslate();
  const locale = useLocale();
  const all = members?.members ?? 0;
  const share = (count: number) =>
    (all === 0 ? 0 : count / all).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <DataCard
      title={translate('overview.levels.title')}
      empty={translate(members ? 'overview.levels.empty' : 'ra.page.loading')}
      columns={['policy', 'level', 'members', 'share'].map((name) => translate(`overview.levels.${name}`))}
      rows={(members?.levels ?? []).map(({ policyId, policy, level, members: count }) => [
        `${policyId} ${level}`,
        policy,
        level,
        count.toLocaleString(locale),
        share(count),
      ])}
    />
  );
}
