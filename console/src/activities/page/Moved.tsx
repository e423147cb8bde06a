import type { components } from 'loyalty-client/generated/api';
import { useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';
import { PageLink } from '../../ui/PageLink';
import { Points } from '../../ui/Points';
import { type Column, Rows } from '../../ui/Rows';
import { useMember, useMoved } from '../../ui/reads';
import { Section } from '../../ui/Section';
import { useWords } from '../../ui/useWords';

type History = components['schemas']['ActivityHistory'];
type Entry = components['schemas']['JournalEntry'];

/** The points that an activity moved, by purse and rule; those of other members say so. */
export function Moved({ activity }: { activity: History }) {
  const translate = useTranslate();
  const words = useWords();
  const label = useFieldLabel();
  const { data = [], error, isPending } = useMoved(activity._id);
  const { data: member } = useMember(activity.memberID, may('members:read'));
  const ruleOf = (id: string | undefined) => activity.ruleMatch.find(({ rule }) => rule === id)?.name ?? '–';
  const purseOf = (id: string) => member?.purses.find(({ policyId }) => policyId === id)?.name ?? id;
  const rule: Column<Entry> = { label: translate('activities.rule'), cell: (each: Entry) => ruleOf(each.rule) };
  const columns: Column<Entry>[] = [
    { label: translate('members.statement.kind'), cell: (each: Entry) => kindOf(each, words('journal', each.kind)) },
    { label: translate('members.page.purse'), cell: (each: Entry) => purseOf(each.purse), from: 'md' },
    // What a return takes has no rule of its own.
    ...(data.some(({ rule }) => rule) ? [rule] : []),
    {
      label: translate('members.find.points'),
      cell: ({ points }: Entry) => <Points points={points} isChange />,
      isNumber: true,
    },
    {
      label: label('balance'),
      cell: ({ balanceAfter }: Entry) => <Points points={balanceAfter} />,
      isNumber: true,
      from: 'md',
    },
  ];
  return (
    <Section title={translate('activities.moved')} error={error} isPending={isPending}>
      <Rows
        label={translate('activities.moved')}
        rows={data}
        columns={columns}
        keyOf={({ _id }) => _id}
        empty={translate('activities.movedNothing')}
      />
    </Section>
  );

  function kindOf(each: Entry, text: string) {
    if (each.member === activity.memberID) return text;
    return (
      <>
        {text} · <PageLink to={`/members/${each.member}`}>{translate('activities.otherMember')}</PageLink>
      </>
    );
  }
}
