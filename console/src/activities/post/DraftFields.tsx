import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { useExtDefs } from '../../definitions/inputs/useExtDefs';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';
import { DateTimeField } from '../../ui/DateTimeField';
import { useWords } from '../../ui/useWords';
import { WholeField } from '../../ui/WholeField';
import type { Draft } from './activityDraft';

interface DraftFieldsProps {
  draft: Draft;
  onChange(draft: Draft): void;
}

const types = ['Accrual', 'Redemption', 'Adjustment', 'Enrollment', 'Referral'];
const channels = ['POS', 'Web', 'Mobile', 'CallCenter', 'Partner'];
const texts = ['srcChannelID', 'partnerCode', 'couponCode', 'externalTxnId'] as const;

/** The fields of an activity that is posted by hand. */
export function DraftFields({ draft, onChange }: DraftFieldsProps) {
  const translate = useTranslate();
  const words = useWords();
  const label = useFieldLabel();
  const own = useOwnValues();
  const choice = (name: 'type' | 'srcChannelType', values: readonly string[], kind: 'type' | 'channel') => (
    <TextField
      select
      required
      label={label(name)}
      value={draft[name]}
      onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
    >
      {values.map((each) => (
        <MenuItem key={each} value={each}>
          {words(kind, each)}
        </MenuItem>
      ))}
    </TextField>
  );
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))' }}>
      {choice('type', [...types, ...own('ActivityType')], 'type')}
      {choice('srcChannelType', [...channels, ...own('ChannelType')], 'channel')}
      <DateTimeField
        label={label('date')}
        helperText={translate('activities.post.now')}
        value={draft.date}
        onChange={(date) => onChange({ ...draft, date })}
      />
      <WholeField
        label={label('value')}
        helperText={translate('activities.post.sum')}
        value={draft.value}
        onChange={(value) => onChange({ ...draft, value })}
      />
      {texts.map((name) => (
        <TextField
          key={name}
          label={label(name)}
          value={draft[name]}
          onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
          autoComplete="off"
        />
      ))}
      <ExtField value={draft.ext} onChange={(ext) => onChange({ ...draft, ext })} />
    </Box>
  );
}

/** The extension fields of the activity as JSON, with those that the org has defined named below it. */
function ExtField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const label = useFieldLabel();
  const defs = useExtDefs('ActivityHistory') ?? [];
  return (
    <TextField
      label={label('ext')}
      placeholder="{}"
      helperText={defs.map(({ def }) => `${def.field} (${def.type})`).join(', ')}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      multiline
      maxRows={8}
      slotProps={{ htmlInput: { spellCheck: false } }}
    />
  );
}

/** The types and channels that the org has added to the built-in ones. */
function useOwnValues(): (type: string) => readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['enums', 'ofActivities'],
    queryFn: ({ signal }) => {
      const query = { query: JSON.stringify({ type: { $in: ['ActivityType', 'ChannelType'] } }), limit: 1000 };
      return result(client.GET('/api/v1/enums', { params: { query }, signal }));
    },
    enabled: may('enums:read'),
  });
  return (type) => data.filter((each) => each.type === type).map(({ value }) => value);
}
