import Typography from '@mui/material/Typography';
import { useGetManyAggregate, useRecordContext, useTranslate } from 'react-admin';
import { may } from '../../session/session';
import { DateTime } from '../../time/DateTime';

/** Who made and changed the record, when, and its id. */
export function RecordFacts() {
  const translate = useTranslate();
  const record = useRecordContext();
  if (!record) return null;
  return (
    <Typography variant="body2" color="textSecondary" sx={{ mt: 2, overflowWrap: 'anywhere' }}>
      {translate('fields.createdAt')} <DateTime at={record.createdAt} /> <By id={record.createdBy} /> ·{' '}
      {translate('fields.updatedAt')} <DateTime at={record.updatedAt} /> <By id={record.updatedBy} /> · {record.id}
    </Typography>
  );
}

/** The name of a user, for users who may read users. */
function By({ id }: { id: unknown }) {
  const enabled = typeof id === 'string' && may('users:read');
  const { data } = useGetManyAggregate('users', { ids: enabled ? [id] : [] }, { enabled });
  const [user] = data ?? [];
  return user ? <>({String(user.username)})</> : null;
}
