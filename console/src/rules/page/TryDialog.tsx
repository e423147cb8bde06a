import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useMutation } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { faultText } from '../../api/faultText';
import { useSentences } from '../../i18n/useSentences';
import { useZone } from '../../time/ZoneContext';
import { fromInputText } from '../../time/zones';
import type { EditedFile } from '../api/ruleApi';
import type { RuleFields } from '../draft/parsedRule';
import { JsonField } from '../inputs/JsonField';
import { NumberField } from '../inputs/NumberField';
import { TextChoice } from '../inputs/TextChoice';
import { DateTimeField } from '../parts/DateTimeField';
import { isObject } from '../schema/fieldShape';
import { MemberChoice } from './MemberChoice';
import { TriedRules } from './TriedRules';

interface TryDialogProps {
  /** The key of the rule. */
  name: string;
  files: readonly EditedFile[];
  rule: RuleFields | undefined;
  onClose(): void;
}

type Activity = Readonly<Record<string, unknown>>;

/** What an activity of a member would do with the rule as it is now. Nothing is stored. */
export function TryDialog({ name, files, rule, onClose }: TryDialogProps) {
  const translate = useTranslate();
  const zone = useZone();
  const query = useSentences();
  const types = Array.isArray(rule?.activityTypes) ? rule.activityTypes.map(String) : [];
  const [activity, setActivity] = useState<Activity>({ type: types[0] ?? 'Accrual', value: 100 });
  const [date, setDate] = useState('');
  const at = fromInputText(date, zone);
  const trying = useMutation({
    mutationFn: () =>
      result(
        client.POST('/api/v1/rules/try', {
          params: { query },
          body: {
            files: [...files],
            activity: { ...activity, ...(at ? { date: at } : {}) },
            ...(at ? { asOf: at } : {}),
          },
        }),
      ),
  });
  const set = (field: string, value: unknown) => setActivity((before) => withField(before, field, value));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    trying.mutate();
  };
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth slotProps={{ paper: { component: 'form', onSubmit } }}>
      <DialogTitle>{translate('rules.try.title')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2, pt: '8px !important' }}>
        <MemberChoice onChange={(member) => set('memberID', member)} />
        <TextChoice
          label={translate('rules.try.type')}
          value={String(activity.type ?? '')}
          values={types}
          isClosed={false}
          onChange={(type) => set('type', type)}
        />
        <NumberField
          label={translate('rules.try.value')}
          value={activity.value}
          onChange={(value) => set('value', value)}
        />
        <DateTimeField label={translate('rules.try.date')} value={date} onChange={setDate} />
        <JsonField
          label={translate('rules.try.activity')}
          help={translate('rules.try.activityHelp')}
          value={activity}
          isReadOnly={false}
          onChange={(next) => (isObject(next) ? setActivity(next) : undefined)}
        />
        {trying.error ? <Alert severity="error">{faultText(trying.error, translate)}</Alert> : null}
        {trying.data ? <TriedRules tried={trying.data} name={name} /> : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.close')}</Button>
        <Button
          type="submit"
          variant="contained"
          disabled={activity.memberID === undefined && activity.loyaltyID === undefined}
          loading={trying.isPending}
        >
          {translate('rules.try.run')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function withField(activity: Activity, field: string, value: unknown): Activity {
  const { [field]: _before, ...rest } = activity;
  return value === undefined ? rest : { ...rest, [field]: value };
}
