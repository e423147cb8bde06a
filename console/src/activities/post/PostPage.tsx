import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import { useMutation } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { type FormEvent, useState } from 'react';
import { Loading, useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router-dom';
import { client } from '../../api/client';
import { faultText } from '../../api/faultText';
import { PageHeading } from '../../app/PageHeading';
import { useSentences } from '../../i18n/useSentences';
import { useChange } from '../../members/change/useChange';
import { useRequestKey } from '../../members/change/useRequestKey';
import { MomentField } from '../../members/parts/MomentField';
import { type Member, memberName } from '../../members/parts/memberName';
import { ProgramContext } from '../../members/parts/ProgramContext';
import { useMember } from '../../members/parts/reads';
import { GoneMember } from '../../members/story/GoneMember';
import { activityBody, emptyDraft } from './activityDraft';
import { DraftFields } from './DraftFields';
import { DraftLines } from './DraftLines';
import { Outcome } from './Outcome';

/** Posts an activity for a member, or tries it first: also as if it were another time. */
export default function PostPage() {
  const { id = '' } = useParams();
  const { data: member, error } = useMember(id);
  if (error) return <GoneMember error={error} />;
  if (!member) return <Loading />;
  return (
    <ProgramContext id={member.program}>
      <Post member={member} />
    </ProgramContext>
  );
}

function Post({ member }: { member: Member }) {
  const translate = useTranslate();
  const [draft, setDraft] = useState(emptyDraft);
  const [asOf, setAsOf] = useState('');
  const body = activityBody(member, draft);
  const sentences = useSentences();
  const attempt = useMutation({ mutationFn: () => tried(body, asOf, sentences) });
  const post = usePost(member);
  const error = post.error ?? attempt.error;
  const change = (next: typeof draft) => {
    setDraft(next);
    attempt.reset();
    post.reset();
  };
  const attemptIt = (event: FormEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  return (
    <>
      <PageHeading
        title={translate('activities.post.for', { name: memberName(member) })}
        text={translate('activities.post.text')}
      />
      <Card component="form" sx={{ p: 2, mb: 2 }} onSubmit={attemptIt}>
        <Stack sx={{ gap: 2 }}>
          <DraftFields draft={draft} onChange={change} />
          <DraftLines lines={draft.lines} onChange={(lines) => change({ ...draft, lines })} />
          <AsOfField value={asOf} onChange={setAsOf} />
          {error ? <Alert severity="error">{faultText(error, translate)}</Alert> : null}
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <Button type="submit" variant="outlined" disabled={attempt.isPending}>
              {translate('activities.post.try')}
            </Button>
            <Button
              variant="contained"
              disabled={post.isPending}
              onClick={({ currentTarget }) => {
                if (currentTarget.form?.reportValidity()) post.mutate(body);
              }}
            >
              {translate('activities.post.submit')}
            </Button>
          </Stack>
        </Stack>
      </Card>
      {attempt.data ? <Outcome member={member} answer={attempt.data} /> : null}
    </>
  );
}

interface AsOfFieldProps {
  value: string;
  onChange(moment: string): void;
}

/** The moment that counts as now when an activity is tried. */
function AsOfField(props: AsOfFieldProps) {
  const translate = useTranslate();
  return (
    <Box sx={{ maxWidth: 340 }}>
      <MomentField
        label={translate('activities.post.asOf')}
        helperText={translate('activities.post.asOfText')}
        {...props}
      />
    </Box>
  );
}

/** Posts the activity, and opens it. */
function usePost(member: Member) {
  const navigate = useNavigate();
  const keyOf = useRequestKey();
  return useChange(
    (body: ReturnType<typeof activityBody>) => {
      const params = { header: { 'Idempotency-Key': keyOf(body) } };
      return result(client.POST('/api/v1/activity', { body, params }));
    },
    {
      done: 'activities.post.done',
      isDone: (answer) => !('result' in answer && answer.result.errors?.length),
      onDone: (answer) => {
        const made = 'result' in answer ? answer.result.data?.activityId : undefined;
        void navigate(made ? `/activities/${made}` : `/members/${member._id}`);
      },
    },
  );
}

/** What an activity would do: decided as the real one, also at another time, and nothing is written. */
async function tried(body: ReturnType<typeof activityBody>, asOf: string, sentences: { lang?: 'de' }) {
  const query = { persist: false, explain: true, ...sentences, ...(asOf === '' ? {} : { asOf }) };
  const answer = await result(client.POST('/api/v1/activity', { body, params: { query } }));
  if (!('result' in answer)) throw new Error('The service has accepted what it should only try');
  return answer;
}
