import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { useSettled } from '../../api/useSettled';
import { Nothing } from '../../app/unread/Nothing';

/** How many members a search offers. */
const shownMax = 10;

/** Finds a member by what people type: an id, a loyalty id, an e-mail, a phone number or a name. */
export function MemberChoice({ onChange }: { onChange(id: string | undefined): void }) {
  const translate = useTranslate();
  const [text, setText] = useState('');
  const search = useSettled(text.trim(), 250);
  const { data = [], isFetching } = useQuery({
    queryKey: ['members', 'search', search],
    queryFn: ({ signal }) =>
      result(client.GET('/api/v1/members', { params: { query: { search, limit: shownMax } }, signal })),
    enabled: search !== '',
  });
  return (
    <Autocomplete
      options={data}
      loading={isFetching}
      filterOptions={(options) => options}
      getOptionKey={({ _id }) => _id}
      isOptionEqualToValue={(one, other) => one._id === other._id}
      getOptionLabel={({ loyaltyID, firstName = '', lastName = '' }) =>
        `${firstName} ${lastName} · ${loyaltyID}`.trim()
      }
      noOptionsText={<Nothing>{translate(search === '' ? 'rules.try.typeMember' : 'rules.try.noMember')}</Nothing>}
      loadingText={translate('ra.page.loading')}
      onInputChange={(_event, next) => setText(next)}
      onChange={(_event, member) => onChange(member?._id)}
      renderInput={(params) => <TextField {...params} label={translate('rules.try.member')} />}
    />
  );
}
