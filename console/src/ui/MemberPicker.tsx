import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useSettled } from '../api/useSettled';
import { Nothing } from '../app/unread/Nothing';
import { type Member, memberName } from './memberName';
import { memberDataKey } from './reads';
import { searchMembers } from './searchMembers';

/** The pause in typing after which the service is asked, in milliseconds. */
const pauseMs = 300;

interface MemberPickerProps {
  label: string;
  /** The members that are not offered, by id. */
  except: readonly string[];
  /** Default: members of all programs. */
  program?: string;
  value: Member | null;
  onPick(member: Member | null): void;
}

/** Chooses a member by any id, name, e-mail or phone, as one types. */
export function MemberPicker({ label, except, program, value, onPick }: MemberPickerProps) {
  const translate = useTranslate();
  const [text, setText] = useState('');
  const search = useSettled(text.trim().slice(0, 100), pauseMs);
  const { data = [] } = useQuery({
    queryKey: [memberDataKey, 'pick', search, program],
    queryFn: async ({ signal }) => {
      const query = { search, status: '!=Merged', limit: 10, ...(program ? { program } : {}) };
      return (await searchMembers(query, signal)).members;
    },
    enabled: search.length > 1 && value === null,
    placeholderData: keepPreviousData,
  });
  return (
    <Autocomplete
      value={value}
      onChange={(_event, picked) => onPick(picked)}
      onInputChange={(_event, typed) => setText(typed)}
      options={search.length > 1 ? data.filter(({ _id }) => !except.includes(_id)) : []}
      getOptionLabel={(member) => `${memberName(member)} · ${member.loyaltyID}`}
      getOptionKey={({ _id }) => _id}
      isOptionEqualToValue={(one, other) => one._id === other._id}
      filterOptions={(all) => all}
      noOptionsText={<Nothing>{translate(search.length > 1 ? 'members.find.none' : 'members.find.text')}</Nothing>}
      renderInput={(params) => <TextField {...params} label={label} />}
    />
  );
}
