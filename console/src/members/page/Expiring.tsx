import { useLocale, useTranslate } from 'react-admin';
import type { Member } from '../../ui/memberName';
import { Points } from '../../ui/Points';
import { Rows } from '../../ui/Rows';
import { useForecast } from '../../ui/reads';
import { Section } from '../../ui/Section';

/** The points that a member will lose, by month. */
export function Expiring({ member }: { member: Member }) {
  const translate = useTranslate();
  const locale = useLocale();
  const { data } = useForecast(member._id);
  if (!data || data.expiring.length === 0) return null;
  type Row = (typeof data.expiring)[number];
  const columns = [
    { label: translate('members.expiring.month'), cell: ({ month }: Row) => monthText(month, locale) },
    { label: translate('members.page.purse'), cell: ({ name }: Row) => name },
    { label: translate('members.find.points'), cell: ({ points }: Row) => <Points points={points} />, isNumber: true },
  ];
  return (
    <Section title={translate('members.expiring.title')}>
      <Rows
        label={translate('members.expiring.title')}
        rows={data.expiring.slice(0, 12)}
        columns={columns}
        keyOf={({ month, purse }) => `${month} ${purse}`}
        empty=""
      />
    </Section>
  );
}

/** A month such as `2027-05` in words. It has no zone: the service has chosen it. */
function monthText(month: string, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
