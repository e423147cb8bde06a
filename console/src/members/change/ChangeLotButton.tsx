import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';
import { useZone } from '../../time/ZoneContext';
import { dateTimeIn } from '../../time/zones';
import { DateTimeField } from '../../ui/DateTimeField';
import { FormDialog } from '../../ui/FormDialog';
import { WholeField } from '../../ui/WholeField';
import { ReasonField } from './ReasonField';
import { useChange } from './useChange';

type Lot = components['schemas']['AccrualItem'];

/** Changes what is left of an award, or when it expires, with a reason, for users with the permission. */
export function ChangeLotButton({ lot }: { lot: Lot }) {
  const translate = useTranslate();
  const locale = useLocale();
  const zone = useZone();
  const [isOpen, setOpen] = useState(false);
  if (!may('accrualitems:write') || lot.availablePoints + lot.escrowedPoints === 0) return <>–</>;
  // Each button says which award it changes.
  const earned = dateTimeIn(zone, new Date(lot.dtEarned), locale);
  const name = `${translate('members.change.lot.column')}: ${lot.accruedPoints.toLocaleString(locale)}, ${earned}`;
  return (
    <>
      <Button size="small" aria-label={name} onClick={() => setOpen(true)}>
        {translate('members.change.lot.column')}
      </Button>
      {isOpen ? <ChangeLot lot={lot} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ChangeLot({ lot, onClose }: { lot: Lot; onClose(): void }) {
  const translate = useTranslate();
  const locale = useLocale();
  const label = useFieldLabel();
  // Of points in escrow and available ones a lot has the one or the other, except after a merge.
  const part = lot.availablePoints > 0 ? 'availablePoints' : 'escrowedPoints';
  const [left, setLeft] = useState(String(lot[part]));
  const [expires, setExpires] = useState(lot.dtExpiresOn ?? '');
  const [reason, setReason] = useState('');
  const change = useChange((body: object) => changeLot(lot._id, body), {
    done: 'members.change.lot.done',
    onDone: onClose,
  });
  const changed = {
    ...(Number(left) === lot[part] ? {} : { [part]: Number(left) }),
    ...(expires === (lot.dtExpiresOn ?? '') ? {} : { dtExpiresOn: expires || null }),
  };
  const isWhole = left !== '' && Number.isSafeInteger(Number(left)) && Number(left) >= 0;
  const isReady = isWhole && Object.keys(changed).length > 0 && reason.trim() !== '';
  return (
    <FormDialog
      title={translate('members.change.lot.title')}
      submit={translate('ra.action.save')}
      error={change.error}
      isBusy={change.isPending}
      isReady={isReady}
      onSubmit={() => change.mutate({ ...changed, ext: { ...lot.ext, reason: reason.trim() } })}
      onClose={onClose}
    >
      <WholeField label={label(part)} value={left} onChange={setLeft} isRequired />
      <DateTimeField
        label={label('dtExpiresOn')}
        value={expires}
        onChange={setExpires}
        helperText={translate('members.change.lot.expiry')}
      />
      <ReasonField value={reason} onChange={setReason} />
      <Typography variant="body2" aria-live="polite">
        {translate(isReady ? 'members.change.lot.preview' : 'members.change.fill', {
          before: lot[part].toLocaleString(locale),
          after: Number(left).toLocaleString(locale),
        })}
      </Typography>
    </FormDialog>
  );
}

/** Changes a lot as it is now: a redemption at the same instant makes the answer 412. */
async function changeLot(id: string, body: object) {
  const params = { path: { id } };
  const read = await client.GET('/api/v1/accrualitems/{id}', { params });
  await result(read);
  const etag = read.response.headers.get('etag');
  const header = etag === null ? {} : { 'If-Match': etag };
  return result(client.PATCH('/api/v1/accrualitems/{id}', { params: { ...params, header }, body }));
}
