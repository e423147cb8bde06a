import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useParams } from 'react-router-dom';
import { faultText } from '../../api/faultText';
import { PageHeading } from '../../app/PageHeading';
import { useSentences } from '../../i18n/useSentences';
import { InProgram } from '../../members/page/InProgram';
import { DateTimeField } from '../../ui/DateTimeField';
import { type Member, memberName } from '../../ui/memberName';
import { useMember } from '../../ui/reads';
import { activityBody, emptyDraft } from './activityDraft';
import { DraftFields } from './DraftFields';
import { DraftLines } from './DraftLines';
import { Outcome } from './Outcome';
import { tried, usePost } from './postActivity';

/** Posts an activity for a member, or tries it first: also as if it were another time. */
export default function PostPage() {
  const { id = '' } = useParams();
  return <InProgram read={useMember(id)}>{(member) => <Post member={member} />}</InProgram>;
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

/** The instant that counts as now when an activity is tried. */
function AsOfField(props: AsOfFieldProps) {
  const translate = useTranslate();
  return (
    <Box sx={{ maxWidth: 340 }}>
      <DateTimeField
        label={translate('activities.post.asOf')}
        helperText={translate('activities.post.asOfText')}
        {...props}
      />
    </Box>
  );
}
