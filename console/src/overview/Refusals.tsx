import Button from '@mui/material/Button';
import { useLocale, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { DataCard } from '../app/DataCard';
import { may } from '../session/session';
import type { ProgramReport } from './answers';

/** Why activities were refused in the period. */
export function Refusals({ report }: { report: ProgramReport | undefined }) {
  const translate = useTranslate();
  const locale = useLocale();
  return (
    <DataCard
      title={translate('overview.errors.title')}
      actions={
        may('jobs:read') && report?.errors.length ? (
          <Button component={Link} to="/operations/refused" size="small">
            {translate('operations.refused.title')}
          </Button>
        ) : null
      }
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
