import Card from '@mui/material/Card';
import { LoyaltyError } from 'loyalty-client/loyaltyError';
import { Loading, RecordContextProvider, useGetOne, useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { MessagePage } from '../app/MessagePage';
import { PageHeading } from '../app/PageHeading';
import { DateTime } from '../time/DateTime';
import { Action, What, Who } from './cells';
import { Entry } from './Entry';

/** One entry of the audit log in full. */
export function EntryPage() {
  const { id = '' } = useParams();
  const translate = useTranslate();
  const { data, error } = useGetOne('auditlog', { id });
  if (error)
    return <MessagePage name={error instanceof LoyaltyError && error.status === 404 ? 'notFound' : 'failed'} />;
  if (!data) return <Loading />;
  return (
    <RecordContextProvider value={data}>
      <PageHeading
        title={translate('audit.entry', { seq: data.seq })}
        text={
          <>
            <DateTime at={data.at} /> · <Who /> · <Action /> · <What />
          </>
        }
      />
      <Card sx={{ p: 2 }}>
        <Entry />
      </Card>
    </RecordContextProvider>
  );
}
