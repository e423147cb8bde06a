import type { components } from 'loyalty-client/generated/api';
import { useTranslate } from 'react-admin';
import { Points } from '../../ui/Points';
import { type Column, Rows } from '../../ui/Rows';

type Purse = components['schemas']['Purse'];

interface BalancesProps {
  before: readonly Purse[];
  after: readonly Purse[];
}

/** The purses of a member before and after something, with what it changes of each. */
export function Balances({ before, after }: BalancesProps) {
  const translate = useTranslate();
  const rows = after.map((purse) => {
    const old = before.find(({ policyId }) => policyId === purse.policyId);
    const was = old?.balance ?? 0;
    return {
      key: purse.policyId,
      name: purse.name,
      was,
      is: purse.balance,
      escrow: purse.escrowsIn,
      debt: purse.debt,
    };
  });
  type Row = (typeof rows)[number];
  const points = (label: string, of: (row: Row) => number): Column<Row> => ({
    label: translate(label),
    cell: (row) => <Points points={of(row)} />,
    isNumber: true,
  });
  const columns: Column<Row>[] = [
    { label: translate('members.page.purse'), cell: ({ name }: Row) => name },
    points('activities.balance.before', ({ was }) => was),
    {
      label: translate('activities.balance.change'),
      cell: (row: Row) => <Points points={row.is - row.was} isChange />,
      isNumber: true,
    },
    points('activities.balance.after', ({ is }) => is),
    { ...points('activities.balance.escrow', ({ escrow }) => escrow), from: 'md' },
    { ...points('activities.balance.debt', ({ debt }) => debt), from: 'md' },
  ];
  return (
    <Rows
      label={translate('activities.balance.title')}
      rows={rows}
      columns={columns}
      keyOf={({ key }) => key}
      empty=""
    />
  );
}
