import MuiLink from '@mui/material/Link';
import { useGetMany, useGetManyAggregate, useLocale, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { DataCard } from '../app/DataCard';
import { may } from '../session/session';
import type { ProgramReport } from './answers';

/** The rules that awarded most points in the period. */
export function TopRules({ report }: { report: ProgramReport | undefined }) {
  const translate = useTranslate();
  const locale = useLocale();
  const rules = report?.rules.slice(0, 10) ?? [];
  const enabled = rules.length > 0 && may('rules:read');
  const { data = [] } = useGetMany('rules', { ids: rules.map(({ rule }) => rule) }, { enabled });
  const { data: programs = [] } = useGetManyAggregate('programs', {
    ids: data.slice(0, 1).map(({ program }) => program),
  });
  const nameOf = (id: string) => {
    const rule = data.find((each) => each.id === id);
    const code = programs[0]?.code;
    if (!rule || !code) return rule?.name ?? id;
    return (
      <MuiLink component={Link} to={`/rules/${code}/${encodeURIComponent(rule.key)}`}>
        {rule.name}
      </MuiLink>
    );
  };
  return (
    <DataCard
      title={translate('overview.rules.title')}
      empty={translate('overview.rules.empty')}
      columns={['rule', 'points', 'awards'].map((name) => translate(`overview.rules.${name}`))}
      rows={rules.map(({ rule, points, awards }) => [
        rule,
        nameOf(rule),
        points.toLocaleString(locale),
        awards.toLocaleString(locale),
      ])}
    />
  );
}
