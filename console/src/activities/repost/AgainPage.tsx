import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { faultText } from '../../api/faultText';
import { PageHeading } from '../../app/PageHeading';
import { Fault } from '../../app/unread/Fault';
import { useSentences } from '../../i18n/useSentences';
import { InProgram } from '../../members/page/InProgram';
import { DateTime } from '../../time/DateTime';
import { type Member, memberName } from '../../ui/memberName';
import { PageLink } from '../../ui/PageLink';
import { memberDataKey, useActivity, useMember } from '../../ui/reads';
import { Section } from '../../ui/Section';
import { useWords } from '../../ui/useWords';
import { ActivityFacts } from '../page/ActivityFacts';
import { Lines } from '../page/Lines';
import { Outcome } from '../post/Outcome';
import { tried, usePost } from '../post/postActivity';
import { againBody } from './againBody';
import { useRepeatedPosts } from './useRepeatedPosts';

type History = components['schemas']['ActivityHistory'];

/** Sends a refused activity again after its fault was fixed. First it shows what the activity would do now. */
export default function AgainPage() {
  const { id = '' } = useParams();
  return <InProgram read={useActivity(id)}>{(activity) => <OfMember activity={activity} />}</InProgram>;
}

function OfMember({ activity }: { activity: History }) {
  const read = useMember(activity.memberID);
  return <InProgram read={read}>{(member) => <Again activity={activity} member={member} />}</InProgram>;
}

function Again({ activity, member }: { activity: History; member: Member }) {
  const translate = useTranslate();
  const words = useWords();
  return (
    <>
      <PageHeading
        title={translate('activities.again.title', { type: words('type', activity.type), name: memberName(member) })}
        text={
          <>
            {translate('activities.again.text')}{' '}
            <PageLink to={`/activities/${activity._id}`}>{translate('activities.again.first')}</PageLink>
          </>
        }
      />
      <Sending activity={activity} member={member} />
      <ActivityFacts activity={activity} />
      <Lines activity={activity} />
    </>
  );
}

/** What it would do now, and the button that does it. */
function Sending({ activity, member }: { activity: History; member: Member }) {
  const translate = useTranslate();
  const sentences = useSentences();
  const body = againBody(activity);
  const attempt = useQuery({
    queryKey: [memberDataKey, 'again', activity._id, sentences],
    queryFn: () => tried(body, '', sentences),
    gcTime: 0,
  });
  const queries = useQueryClient();
  const post = usePost(member);
  const before = useRepeatedPosts(activity);
  const isRefused = (attempt.data?.result.errors?.length ?? 0) > 0;
  return (
    <>
      {before.data ? <SentBefore sent={before.data} /> : null}
      <Fault error={before.error} />
      {attempt.data && !attempt.error ? (
        <Outcome member={member} answer={attempt.data} />
      ) : (
        <Section title={translate('activities.post.outcome')} error={attempt.error} isPending>
          {null}
        </Section>
      )}
      {post.error ? (
        <Alert severity="error" sx={{ mb: 2 }}>
          {faultText(post.error, translate)}
        </Alert>
      ) : null}
      {isRefused ? (
        <Alert severity="info" sx={{ mb: 2 }}>
          {translate('activities.again.still')}
        </Alert>
      ) : null}
      <Stack direction="row" sx={{ gap: 1, mb: 2, flexWrap: 'wrap' }}>
        <Button
          variant="outlined"
          loading={attempt.isFetching}
          onClick={() => void queries.invalidateQueries({ queryKey: [memberDataKey] })}
        >
          {translate('activities.again.check')}
        </Button>
        <Button
          variant="contained"
          disabled={!attempt.isSuccess || isRefused || attempt.isFetching || !before.isSuccess}
          loading={post.isPending}
          onClick={() => post.mutate(body)}
        >
          {translate('activities.again.action')}
        </Button>
      </Stack>
    </>
  );
}

/** Says that somebody has sent it again before, so that its points are not given twice. */
function SentBefore({ sent }: { sent: Pick<History, '_id' | 'createdAt'> }) {
  const translate = useTranslate();
  return (
    <Alert severity="warning" sx={{ mb: 2 }}>
      {translate('activities.again.before')}{' '}
      <PageLink to={`/activities/${sent._id}`}>
        <DateTime at={sent.createdAt} />
      </PageLink>
    </Alert>
  );
}
