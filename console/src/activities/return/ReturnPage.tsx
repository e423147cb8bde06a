import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import type { components } from 'loyalty-client/generated/api';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useNavigate, useParams } from 'react-router-dom';
import { client } from '../../api/client';
import { faultText } from '../../api/faultText';
import { PageHeading } from '../../app/PageHeading';
import { useChange } from '../../members/change/useChange';
import { useRequestKey } from '../../members/change/useRequestKey';
import { InProgram } from '../../members/page/InProgram';
import { DateTime } from '../../time/DateTime';
import { PageLink } from '../../ui/PageLink';
import { useActivity } from '../../ui/reads';
import { useWords } from '../../ui/useWords';
import { Problems } from '../page/Problems';
import { cancelled } from './cancelled';
import { LineChoice } from './LineChoice';
import { ReturnPreview } from './ReturnPreview';
import { bodyOf, emptySelection, type ReturnBody, type ReturnSelection } from './returnBody';
import { useReturnPreview } from './useReturnPreview';

type History = components['schemas']['ActivityHistory'];

/** Takes back an activity, or a part of it, after showing what that will take. */
export default function ReturnPage() {
  const { id = '' } = useParams();
  return <InProgram read={useActivity(id)}>{(activity) => <Return activity={activity} />}</InProgram>;
}

function Return({ activity }: { activity: History }) {
  const translate = useTranslate();
  const [selection, setSelection] = useState<ReturnSelection>(emptySelection(activity));
  const body = bodyOf(activity, selection);
  const preview = useReturnPreview(activity._id, body);
  const giveBack = useGiveBack(activity._id);
  const isRefused = (preview.data?.result.errors?.length ?? 0) > 0;
  const canReturn = body !== undefined && preview.data !== undefined && !preview.isStale && !isRefused;
  return (
    <>
      <Heading activity={activity} />
      <Card component="form" sx={{ p: 2, mb: 2 }} onSubmit={(event) => event.preventDefault()}>
        <LineChoice activity={activity} selection={selection} onSelect={setSelection} />
      </Card>
      <ReturnPreview activity={activity} isSelected={body !== undefined} preview={preview} />
      <Problems errors={giveBack.data?.result.errors} />
      <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
        {giveBack.error ? <Alert severity="error">{faultText(giveBack.error, translate)}</Alert> : null}
        <Button
          variant="contained"
          color="error"
          disabled={!canReturn || giveBack.isPending}
          onClick={() => body && giveBack.mutate(body)}
        >
          {translate(selection.how === 'all' ? 'activities.return.submitAll' : 'activities.return.submit')}
        </Button>
      </Stack>
    </>
  );
}

function Heading({ activity }: { activity: History }) {
  const translate = useTranslate();
  const words = useWords();
  return (
    <PageHeading
      title={translate('activities.return.title', { type: words('type', activity.type) })}
      text={
        <>
          <DateTime at={activity.date} /> ·{' '}
          <PageLink to={`/activities/${activity._id}`}>{translate('activities.return.back')}</PageLink>
        </>
      }
    />
  );
}

/** Does the return, and opens what was made of it. */
function useGiveBack(activity: string) {
  const navigate = useNavigate();
  const keyOf = useRequestKey();
  return useChange(
    (body: ReturnBody) => {
      const params = { path: { id: activity }, header: { 'Idempotency-Key': keyOf(body) } };
      return cancelled(client.POST('/api/v1/activity/{id}/cancel', { body, params }));
    },
    {
      done: 'activities.return.done',
      isDone: ({ result: { errors = [] } }) => errors.length === 0,
      onDone: ({ result: { data } }) => {
        if (data?.activityId) void navigate(`/activities/${data.activityId}`);
      },
    },
  );
}
