import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useNotify, useRecordContext, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { client } from '../../api/client';
import { faultText } from '../../api/faultText';
import { may } from '../../session/session';
import type { DefinitionName } from '../definitionNames';
import { SecretDialog } from './SecretDialog';

/** How long the old secret of a rotated API key or webhook still works, in seconds: a day. */
const overlapSeconds = 86_400;

/** Actions on a record other than changing it: rotate a key or secret, send a test event. */
export function RecordActions({ name }: { name: DefinitionName }) {
  const translate = useTranslate();
  const record = useRecordContext();
  const id = String(record?.id);
  if (name === 'apikeys' && may('apikeys:update')) return <Rotate rotate={() => rotateKey(id)} />;
  if (name !== 'webhooks' || !may('webhooks:update')) return null;
  return (
    <>
      <Button component={Link} to={`/operations/deliveries?${deliveriesOf(id)}`}>
        {translate('operations.deliveries.title')}
      </Button>
      <TestEvent id={id} />
      <Rotate rotate={() => rotateSecret(id)} />
    </>
  );
}

/** The list of the deliveries to a webhook, with those that arrived. */
function deliveriesOf(webhook: string): URLSearchParams {
  return new URLSearchParams({ filter: JSON.stringify({ webhook }) });
}

async function rotateKey(id: string): Promise<string> {
  const path = { id };
  const answer = await result(
    client.POST('/api/v1/apikeys/{id}/rotate', { params: { path }, body: { overlapSeconds } }),
  );
  return answer.key;
}

async function rotateSecret(id: string): Promise<string> {
  const path = { id };
  const answer = await result(
    client.POST('/api/v1/webhooks/{id}/rotate', { params: { path }, body: { overlapSeconds } }),
  );
  return answer.secret;
}

/** Makes a new secret, which is shown once. The present one works for a day, so that no client stops in between. */
function Rotate({ rotate }: { rotate(): Promise<string> }) {
  const translate = useTranslate();
  const notify = useNotify();
  const [secret, setSecret] = useState<string>();
  const { mutate, isPending } = useMutation({
    mutationFn: rotate,
    onSuccess: setSecret,
    onError: (error) => notify(faultText(error, translate), { type: 'error' }),
  });
  return (
    <>
      <Button onClick={() => mutate()} loading={isPending}>
        {translate('definitions.rotate')}
      </Button>
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}

function TestEvent({ id }: { id: string }) {
  const translate = useTranslate();
  const notify = useNotify();
  const { mutate, isPending } = useMutation({
    mutationFn: () => result(client.POST('/api/v1/webhooks/{id}/test', { params: { path: { id } } })),
    onSuccess: () => notify('definitions.tested', { type: 'success' }),
    onError: (error) => notify(faultText(error, translate), { type: 'error' }),
  });
  return (
    <Button onClick={() => mutate()} loading={isPending}>
      {translate('definitions.test')}
    </Button>
  );
}
