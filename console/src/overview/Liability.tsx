import { useLocale, useTranslate } from 'react-admin';
import { DataCard } from '../app/DataCard';
import type { LiabilityReport } from './answers';
import { money } from './money';

/** The points outstanding of each purse, what they cost, and what they are expected to cost. */
export function Liability({ liability }: { liability: LiabilityReport | undefined }) {
  const translate = useTranslate();
  const locale = useLocale();
  const t = (key: string) => translate(`overview.liability.${key}`);
  return (
    <DataCard
      title={t('title')}
      empty={liability ? t('empty') : translate('ra.page.loading')}
      columns={['purse', 'points', 'escrowed', 'cost', 'expectedCost'].map(t)}
      rows={(liability?.purses ?? []).map(({ purse, name, points, escrowed, cost, expectedCost }) => [
        purse,
        name,
        points.toLocaleString(locale),
        escrowed.toLocaleString(locale),
        money(cost, liability?.currencyCode, locale),
        money(expectedCost, liability?.currencyCode, locale),
      ])}
    />
  );
}
