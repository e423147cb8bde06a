import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useMutation } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { DataTable, type RaRecord, useNotify, useRecordContext, useRefresh, useTranslate } from 'react-admin';
import { client } from '../api/client';
import { faultText } from '../api/faultText';
import { FilteredList } from '../definitions/list/FilteredList';
import { ReferenceName } from '../definitions/ReferenceName';
import { useChoiceLabel } from '../i18n/useChoiceLabel';
import { type FailedWork, useFailureText } from '../i18n/useFailureText';
import { useFieldLabel } from '../i18n/useFieldLabel';
import { may } from '../session/session';
import { DateTime } from '../time/DateTime';

// A receiver that fails now has deliveries that wait; they are dead after three days only.
const undelivered = { status: '!=Delivered' };
const filters = new Set(['webhook', 'type', 'event', 'kind', 'status', 'attempts', 'createdAt']);

/** Deliveries to webhooks: at first those that failed so far, which can be tried again, the latest first. */
export default function DeliveriesPage() {
  const translate = useTranslate();
  const label = useFieldLabel();
  return (
    <FilteredList
      resource="webhookdeliveries"
      search="type"
      hasFilter={(name) => filters.has(name)}
      sort={{ field: '_id', order: 'DESC' }}
      filterDefaultValues={undelivered}
      empty={translate('operations.deliveries.none')}
    >
      <DataTable.Col source="createdAt" label={label('at')}>
        <At />
      </DataTable.Col>
      <DataTable.Col source="webhook" label={translate('resources.webhooks.name', { smart_count: 1 })}>
        <Webhook />
      </DataTable.Col>
      <DataTable.Col source="type" label={label('type')} />
      <DataTable.Col source="status" label={label('status')}>
        <Status />
      </DataTable.Col>
      <DataTable.Col source="attempts" label={label('attempts')} />
      <DataTable.Col source="log" label={translate('operations.deliveries.answer')} disableSort>
        <LastAnswer />
      </DataTable.Col>
      <DataTable.Col source="nextAttemptAt" label={translate('operations.deliveries.next')}>
        <NextAttempt />
      </DataTable.Col>
      <DataTable.Col label={translate('operations.deliveries.retry')} disableSort>
        <Retry />
      </DataTable.Col>
    </FilteredList>
  );
}

function At() {
  return <DateTime at={useRecordContext()?.createdAt} />;
}

function NextAttempt() {
  const { status, nextAttemptAt }: Partial<RaRecord> = useRecordContext() ?? {};
  return <DateTime at={status === 'Waiting' ? nextAttemptAt : undefined} />;
}

function Webhook() {
  const id: unknown = useRecordContext()?.webhook;
  return typeof id === 'string' ? <ReferenceName to="webhooks" id={id} /> : null;
}

function Status() {
  const choiceLabel = useChoiceLabel();
  const status = String(useRecordContext()?.status);
  const color = status === 'Dead' ? 'error' : status === 'Delivered' ? 'success' : 'default';
  return <Chip size="small" variant="outlined" color={color} label={choiceLabel(status)} />;
}

function LastAnswer() {
  const failureText = useFailureText();
  const log: (Partial<FailedWork> & { status?: number })[] = useRecordContext()?.log ?? [];
  const { status, error, fault } = log.at(-1) ?? {};
  if (status !== undefined || error === undefined) return <>{status ?? '–'}</>;
  return <>{failureText({ error, fault })}</>;
}

function Retry() {
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const delivery = useRecordContext();
  const { mutate, isPending } = useMutation({
    mutationFn: () => {
      const path = { id: String(delivery?.webhook), deliveryId: String(delivery?.id) };
      return result(client.POST('/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry', { params: { path } }));
    },
    onSuccess: () => {
      notify('operations.deliveries.retried', { type: 'success' });
      refresh();
    },
    onError: (error) => notify(faultText(error, translate), { type: 'error' }),
  });
  if (delivery?.status === 'Delivered' || !may('webhooks:update')) return null;
  return (
    <Button size="small" loading={isPending} onClick={() => mutate()}>
      {translate('operations.deliveries.retry')}
    </Button>
  );
}
