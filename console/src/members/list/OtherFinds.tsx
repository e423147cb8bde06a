import Alert from '@mui/material/Alert';
import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { may } from '../../session/session';
import { listQuery } from '../../ui/listQuery';
import { PageLink } from '../../ui/PageLink';
import { memberDataKey } from '../../ui/reads';

/** The activity, or refused activity, that has the searched id or number of the till, when no member was found. */
export function OtherFinds({ text }: { text: string }) {
  const translate = useTranslate();
  const isLong = text.length >= 4;
  const byId = /^[0-9a-f]{24}$/i.test(text) ? [{ _id: text }] : [];
  const filter = { $or: [...byId, { externalTxnId: text }] };
  const query = listQuery(filter, { limit: 1, select: 'type' });
  const { data: activities } = useQuery({
    queryKey: [memberDataKey, 'activityBy', text],
    queryFn: ({ signal }) => result(client.GET('/api/v1/activityhistories', { params: { query }, signal })),
    enabled: may('activityhistories:read') && isLong,
  });
  const named = listQuery({ $or: [...filter.$or, { loyaltyID: text }] }, { limit: 1, select: 'type' });
  const { data: refused } = useQuery({
    queryKey: [memberDataKey, 'refusedBy', text],
    queryFn: ({ signal }) => result(client.GET('/api/v1/refusedactivities', { params: { query: named }, signal })),
    enabled: may('refusedactivities:read') && isLong,
  });
  const [activity] = activities ?? [];
  if (!activity && !refused?.length) return null;
  const to = activity ? `/activities/${activity._id}` : `/operations/refused?text=${encodeURIComponent(text)}`;
  return (
    <Alert severity="info" sx={{ m: 2 }}>
      <PageLink to={to}>{translate(activity ? 'members.find.activity' : 'members.find.refused')}</PageLink>
    </Alert>
  );
}
