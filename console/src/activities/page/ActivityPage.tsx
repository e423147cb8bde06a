import AgainIcon from '@mui/icons-material/Replay';
import UndoIcon from '@mui/icons-material/Undo';
import Button from '@mui/material/Button';
import type { components } from 'loyalty-client/generated/api';
import { useTranslate } from 'react-admin';
import { Link, useParams } from 'react-router-dom';
import { PageHeading } from '../../app/PageHeading';
import { InProgram } from '../../members/page/InProgram';
import { may } from '../../session/session';
import { DateTime } from '../../time/DateTime';
import { memberName } from '../../ui/memberName';
import { PageLink } from '../../ui/PageLink';
import { useActivity, useMember } from '../../ui/reads';
import { Section } from '../../ui/Section';
import { useWords } from '../../ui/useWords';
import { ReturnSteps } from '../return/ReturnSteps';
import { ActivityFacts } from './ActivityFacts';
import { Lines } from './Lines';
import { Moved } from './Moved';
import { NotGiven } from './NotGiven';
import { Problems } from './Problems';
import { Why } from './Why';

type History = components['schemas']['ActivityHistory'];

/** An activity: what it was, what it moved, and why each rule fired or did not. */
export default function ActivityPage() {
  const { id = '' } = useParams();
  return (
    <InProgram read={useActivity(id)}>
      {(activity) => (
        <>
          <Heading activity={activity} />
          <Problems errors={activity.result.errors} />
          <ActivityFacts activity={activity} />
          <Moved activity={activity} />
          <Lines activity={activity} />
          <NotGiven entries={activity.result.log} />
          {activity.type === 'Cancellation' ? <Returned activity={activity} /> : <Why activity={activity._id} />}
        </>
      )}
    </InProgram>
  );
}

/** What a return took, step by step. The rules are those of the original. */
function Returned({ activity }: { activity: History }) {
  const translate = useTranslate();
  const { originalTxnId = '' } = activity;
  const { data: original } = useActivity(originalTxnId, originalTxnId !== '');
  const nameOf = (key: string) => original?.ruleMatch.find((each) => each.key === key)?.name ?? key;
  return (
    <Section title={translate('activities.return.took')}>
      <ReturnSteps entries={activity.result.log} nameOf={nameOf} />
    </Section>
  );
}

function Heading({ activity }: { activity: History }) {
  const translate = useTranslate();
  const words = useWords();
  const { data: member } = useMember(activity.memberID, may('members:read'));
  const who = member ? memberName(member) : (activity.loyaltyID ?? translate('members.find.member'));
  return (
    <PageHeading
      title={translate('activities.title', { type: words('type', activity.type), name: who })}
      text={
        <>
          <DateTime at={activity.date} /> · <PageLink to={`/members/${activity.memberID}`}>{who}</PageLink>
        </>
      }
      actions={<Actions activity={activity} />}
    />
  );
}

/** What can be done with it: something comes back, or what was refused is sent again. Only the service posts occasions. */
function Actions({ activity: { _id, status, type, occasion } }: { activity: History }) {
  const translate = useTranslate();
  if (type === 'Cancellation') return null;
  if (status === 'Processed' && may('activity:cancel')) {
    return (
      <Button component={Link} to={`/activities/${_id}/return`} variant="outlined" startIcon={<UndoIcon />}>
        {translate('activities.return.action')}
      </Button>
    );
  }
  if (status !== 'Error' || occasion || !may('activity:post')) return null;
  return (
    <Button component={Link} to={`/activities/${_id}/again`} variant="outlined" startIcon={<AgainIcon />}>
      {translate('activities.again.action')}
    </Button>
  );
}
