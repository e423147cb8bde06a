import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';
import { Awaited } from '../../ui/Awaited';
import { Choice } from '../../ui/Choice';
import { listQuery } from '../../ui/listQuery';
import type { Member } from '../../ui/memberName';
import { PageLink } from '../../ui/PageLink';
import { Paging, pageRows, useSkip } from '../../ui/Paging';
import { Points } from '../../ui/Points';
import { PurseChoice } from '../../ui/PurseChoice';
import { type Column, Rows } from '../../ui/Rows';
import { memberDataKey, usePurses } from '../../ui/reads';
import { useFilter } from '../../ui/useFilter';
import { useWords } from '../../ui/useWords';
import { When } from '../../ui/When';
import { AddPointsButton } from '../change/AddPointsButton';
import { ChangeLotButton } from '../change/ChangeLotButton';

type Lot = components['schemas']['AccrualItem'];

const states = ['available', 'escrow', 'burned', 'expired', 'reversed'];

/** The awards of a member, the latest first, with what is left of each; and changes by hand. */
export function LotsTab({ member }: { member: Member }) {
  const translate = useTranslate();
  const words = useWords();
  const label = useFieldLabel();
  const [purse, setPurse] = useFilter('purse');
  const [state, setState] = useFilter('state');
  const read = useLots(member, purse, state);
  const change: Column<Lot> = {
    label: translate('members.change.lot.column'),
    cell: (lot) => <ChangeLotButton lot={lot} />,
  };
  const columns: Column<Lot>[] = [
    { label: label('dtEarned'), cell: earnedOf },
    { label: translate('members.lots.left'), cell: leftOf, isNumber: true },
    { label: label('accruedPoints'), cell: (lot) => <Points points={lot.accruedPoints} />, isNumber: true },
    { label: label('dtExpiresOn'), cell: expiryOf },
    { label: translate('members.lots.state'), cell: (lot) => <LotState lot={lot} />, from: 'md' },
    { label: translate('members.page.purse'), cell: ({ purseName }) => purseName, from: 'xl' },
    { label: label('dtEscrowsOn'), cell: escrowOf, from: 'xl' },
    ...(may('accrualitems:write') ? [change] : []),
  ];
  return (
    <>
      <Stack direction="row" sx={{ gap: 1, p: 2, pb: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <PurseChoice member={member} value={purse} onChoose={setPurse} />
        <Choice
          label={translate('members.lots.state')}
          value={state}
          choices={states.map((each) => [each, words('state', each)])}
          onChoose={setState}
        />
        <AddPointsButton member={member} />
      </Stack>
      <Awaited read={read}>
        {(rows) => (
          <>
            <Rows
              label={translate('members.tabs.lots')}
              rows={rows}
              columns={columns}
              keyOf={({ _id }) => _id}
              empty={translate('members.lots.none')}
            />
            <Paging rows={rows.length} />
          </>
        )}
      </Awaited>
    </>
  );
}

function earnedOf({ activity, dtEarned }: Lot) {
  const earned = <When at={dtEarned} />;
  return activity ? <PageLink to={`/activities/${activity}`}>{earned}</PageLink> : earned;
}

/** What became of an award, and why it was added or changed by hand. */
function LotState({ lot }: { lot: Lot }) {
  const words = useWords();
  const reason = lot.ext?.reason;
  return (
    <>
      {words('state', lot.state)}
      {typeof reason === 'string' ? (
        <Typography variant="body2" color="textSecondary">
          {reason}
        </Typography>
      ) : null}
    </>
  );
}

function leftOf({ availablePoints, escrowedPoints }: Lot) {
  return <Points points={availablePoints + escrowedPoints} />;
}

function escrowOf({ escrowedPoints, dtEscrowsOn }: Lot) {
  return escrowedPoints > 0 ? <When at={dtEscrowsOn} /> : '–';
}

function expiryOf({ dtExpiresOn }: Lot) {
  return dtExpiresOn === undefined ? '–' : <When at={dtExpiresOn} />;
}

function useLots({ _id }: Member, purse: string, state: string) {
  const skip = useSkip();
  const { isPending } = usePurses(_id);
  const filter = { member: _id, ...(purse ? { purse } : {}), ...(state ? { state } : {}) };
  return useQuery({
    queryKey: [memberDataKey, 'lots', filter, skip],
    queryFn: ({ signal }) => {
      const query = listQuery(filter, { sort: '-dtEarned', limit: pageRows, skip });
      return result(client.GET('/api/v1/accrualitems', { params: { query }, signal }));
    },
    enabled: !isPending,
    placeholderData: keepPreviousData,
  });
}
