import Alert from '@mui/material/Alert';
import { useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { type Member, memberName } from '../../ui/memberName';
import { Points } from '../../ui/Points';
import { Rows } from '../../ui/Rows';
import { usePurses } from '../../ui/reads';

interface MergePreviewProps {
  survivor: Member;
  other: Member;
}

interface Row {
  label: string;
  own: React.ReactNode;
  others: React.ReactNode;
  merged: React.ReactNode;
}

/** What a merge will make of two members (docs/design/members.md#merge), side by side. */
export function MergePreview({ survivor, other }: MergePreviewProps) {
  const translate = useTranslate();
  const label = useFieldLabel();
  const own = usePurses(survivor._id).data ?? survivor.purses;
  const others = usePurses(other._id).data ?? other.purses;
  const purses = own.map(({ policyId, name, balance }) => {
    const added = others.find((each) => each.policyId === policyId)?.balance ?? 0;
    return {
      label: name,
      own: <Points points={balance} />,
      others: <Points points={added} />,
      merged: <Points points={balance + added} />,
    };
  });
  const text = (name: 'firstName' | 'lastName' | 'email' | 'phone'): Row => ({
    label: label(name),
    own: survivor[name] ?? '–',
    others: other[name] ?? '–',
    merged: survivor[name] ?? '–',
  });
  const ids = [...new Set([...survivor.loyaltyIDs, ...other.loyaltyIDs])];
  const rows: Row[] = [
    ...(['firstName', 'lastName', 'email', 'phone'] as const).map(text),
    { label: label('loyaltyIDs'), own: idsOf(survivor), others: idsOf(other), merged: ids.join(', ') },
    ...purses,
    {
      label: translate('members.page.tiers'),
      own: levelsOf(survivor),
      others: levelsOf(other),
      merged: best(survivor, other),
    },
  ];
  const columns = [
    { label: translate('filter.field'), cell: (row: Row) => row.label },
    { label: memberName(survivor), cell: (row: Row) => row.own },
    { label: translate('members.merge.gone', { name: memberName(other) }), cell: (row: Row) => row.others },
    { label: translate('members.merge.after'), cell: (row: Row) => <strong>{row.merged}</strong> },
  ];
  return (
    <>
      <Rows
        label={translate('members.merge.preview')}
        rows={rows}
        columns={columns}
        keyOf={(row) => row.label}
        empty=""
      />
      <Alert severity="warning">{translate('members.merge.warning')}</Alert>
    </>
  );
}

function idsOf({ loyaltyIDs }: Member): string {
  return loyaltyIDs.join(', ');
}

function levelsOf({ tiers }: Member): string {
  return tiers.map(({ name, level }) => `${name}: ${level.name}`).join(', ') || '–';
}

/** The best level under each policy. */
function best(survivor: Member, other: Member): string {
  const found = new Map<string, Member['tiers'][number]>();
  for (const tier of [...survivor.tiers, ...other.tiers]) {
    const known = found.get(tier.policyId);
    if (!known || known.level.number < tier.level.number) found.set(tier.policyId, tier);
  }
  return [...found.values()].map(({ name, level }) => `${name}: ${level.name}`).join(', ') || '–';
}
