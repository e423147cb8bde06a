import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import type { components } from 'loyalty-client/generated/api';
import { useTranslate } from 'react-admin';
import { Fault } from '../../app/unread/Fault';
import { DateTime } from '../../time/DateTime';
import type { Member } from '../../ui/memberName';
import { Points } from '../../ui/Points';
import { usePurses } from '../../ui/reads';

type Purse = components['schemas']['Purse'];

/** The purses of a member: what it can spend, what waits, and what ends next. */
export function Purses({ member }: { member: Member }) {
  const translate = useTranslate();
  const { data, error } = usePurses(member._id);
  return (
    <Box component="section" aria-label={translate('members.page.purses')} sx={{ mb: 2 }}>
      <Fault error={error} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 260px), 1fr))' }}>
        {(data ?? member.purses).map((purse) => (
          <OnePurse key={purse.policyId} purse={purse} />
        ))}
      </Box>
    </Box>
  );
}

function OnePurse({ purse }: { purse: Purse }) {
  const translate = useTranslate();
  const { name, availBalance, escrowsIn, debt, nextEscrow, nextExpiry, inactiveOn, balance } = purse;
  return (
    <Card sx={{ p: 2 }}>
      <Typography variant="h2">{name}</Typography>
      <Typography sx={{ fontSize: '2rem', fontWeight: 600, lineHeight: 1.2 }}>
        <Points points={availBalance} />
      </Typography>
      <Typography variant="body2" color="textSecondary" gutterBottom>
        {translate('members.purse.available')}
      </Typography>
      {debt > 0 ? <Line text="members.purse.debt" points={debt} /> : null}
      {escrowsIn > 0 ? <Line text="members.purse.escrow" points={escrowsIn} /> : null}
      {nextEscrow ? <Line text="members.purse.nextEscrow" points={nextEscrow.points} at={nextEscrow.date} /> : null}
      {nextExpiry ? <Line text="members.purse.nextExpiry" points={nextExpiry.points} at={nextExpiry.date} /> : null}
      {inactiveOn && balance > 0 ? <Line text="members.purse.inactive" at={inactiveOn} /> : null}
      {nextExpiry || inactiveOn || availBalance <= 0 ? null : <Line text="members.purse.lasts" />}
    </Card>
  );
}

/** A message, then points, then an instant. */
function Line({ text, points, at }: { text: string; points?: number; at?: string }) {
  const translate = useTranslate();
  return (
    <Typography variant="body2">
      {translate(text)} {points === undefined ? null : <Points points={points} />}
      {at === undefined ? null : (
        <>
          {points === undefined ? '' : ' · '}
          <DateTime at={at} />
        </>
      )}
    </Typography>
  );
}
