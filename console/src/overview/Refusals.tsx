import { useLocale, useTranslate } from 'react-admin';
import { DataCard } from '../app/DataCard';
import type { ProgramReport } from './answers';

/** Why activities were refused in the period. */
export function Refusals({ report }: { report: ProgramReport | undefined }) {
  const translate = useTranslate();
  const locale = useLocale();
  return (
    <DataCard
      title={translate('overview.errors.title')}
      empty={translate(report ? 'overview.errors.empty' : 'ra.page.loading')}
      columns={[translate('overview.errors.reason'), translate('overview.errors.count')]}
      rows={(report?.errors ?? []).map(({ code, count }) => [
        String(code),
        `${translate(`overview.errors.codes.${code}`, { _: '' })} (${code})`,
        count.toLocaleString(locale),
      ])}
    />
  );
}
