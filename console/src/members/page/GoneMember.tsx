import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { LoyaltyError } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { MessagePage } from '../../app/MessagePage';
import { PageHeading } from '../../app/PageHeading';
import { Fault } from '../../app/unread/Fault';

/** Why a member is not shown: it was merged, with the way to the survivor, or erased, or never was. */
export function GoneMember({ error }: { error: unknown }) {
  const translate = useTranslate();
  if (!(error instanceof LoyaltyError)) return <Failed error={error} />;
  if (error.status === 404 || error.status === 422) return <MessagePage name="notFound" />;
  if (error.status !== 410) return <Failed error={error} />;
  const name = error.mergedInto === undefined ? 'erased' : 'merged';
  return (
    <>
      <PageHeading title={translate(`members.gone.${name}.title`)} />
      <Typography sx={{ mb: 2 }}>{translate(`members.gone.${name}.text`)}</Typography>
      {error.mergedInto === undefined ? null : (
        <Button component={Link} to={`/members/${error.mergedInto}`} variant="contained">
          {translate('members.gone.survivor')}
        </Button>
      )}
    </>
  );
}

function Failed({ error }: { error: unknown }) {
  const translate = useTranslate();
  return (
    <>
      <PageHeading title={translate('page.failed.title')} />
      <Fault error={error} />
    </>
  );
}
