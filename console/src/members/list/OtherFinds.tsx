import Alert from '@mui/material/Alert';
import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { may } from '../../session/session';
import { listQuery } from '../parts/listQuery';
import { PageLink } from '../parts/PageLink';
import { storyKey } from '../parts/reads';

/** The activity whose id, or number of the till, was searched for when no member has it. */
export function OtherFinds({ text }: { text: string }) {
  const translate = useTranslate();
  const { data } = useQuery({
    queryKey: [storyKey, 'activityBy', text],
    queryFn: ({ signal }) => {
      const byId = /^[0-9a-f]{24}$/i.test(text) ? [{ _id: text }] : [];
      const query = listQuery({ $or: [...byId, { externalTxnId: text }] }, { limit: 1, select: 'type' });
      return result(client.GET('/api/v1/activityhistories', { params: { query }, signal }));
    },
    enabled: may('activityhistories:read') && text.length >= 4,
  });
  const [activity] = data ?? [];
  if (!activity) return null;
  return (
    <Alert severity="info" sx={{ m: 2 }}>
      <PageLink to={`/activities/${activity._id}`}>{translate('members.find.activity')}</PageLink>
    </Alert>
  );
}
