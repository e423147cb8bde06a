import AddIcon from '@mui/icons-material/PersonAddOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { PageHeading } from '../../app/PageHeading';
import { SearchBox } from '../../definitions/list/SearchBox';
import { may } from '../../session/session';
import { FoundMembers } from './FoundMembers';
import { MemberFilters } from './MemberFilters';
import { OtherFinds } from './OtherFinds';
import { placeArguments, useMembers } from './useMembers';

/** Finds members as one types: what is searched and filtered is in the address. Enter opens the first. */
export function MembersPage() {
  const translate = useTranslate();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const found = useMembers(params);
  const [opening, setOpening] = useState<string>();
  // What was typed just before Enter is not searched for once more, which would lead back to this page.
  const isLeaving = useRef(false);
  const search = params.get('search') ?? '';
  const set = (name: string, value: string) => setParams((old) => changed(old, name, value), { replace: true });
  const [first] = found.data?.members ?? [];
  // The last typed text may not be requested yet, so Enter waits for its answer.
  const isFound = opening === search && !found.isFetching && !found.isPlaceholderData;
  useEffect(() => {
    if (!isFound) return;
    isLeaving.current = first !== undefined;
    setOpening(undefined);
    if (first) void navigate(`/members/${first._id}`);
  }, [isFound, first, navigate]);
  const open = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = asSearch(event.currentTarget.querySelector<HTMLInputElement>('input[type=search]')?.value ?? '');
    if (typed === '') return;
    isLeaving.current = true;
    if (typed !== search) set('search', typed);
    setOpening(typed);
  };
  return (
    <>
      <PageHeading title={translate('menu.members')} text={translate('members.find.text')} actions={<NewButton />} />
      <Stack direction="row" sx={{ gap: 1, mb: 2, flexWrap: 'wrap', alignItems: 'center' }}>
        {/* The search alone: Enter submits a form without a button only where it has one field. */}
        <Box component="form" role="search" onSubmit={open} sx={{ width: { xs: '100%', sm: 'auto' } }}>
          <SearchBox
            label={translate('members.find.label')}
            value={search}
            onSearch={(text) => isLeaving.current || set('search', asSearch(text))}
          />
        </Box>
        <MemberFilters params={params} onFilter={set} />
      </Stack>
      <Card>
        <FoundMembers found={found} params={params} isFiltered={search !== ''} />
        {search !== '' && found.data?.members.length === 0 ? <OtherFinds text={search} /> : null}
      </Card>
    </>
  );
}

function NewButton() {
  const translate = useTranslate();
  if (!may('members:create')) return null;
  return (
    <Button component={Link} to="/members/create" variant="outlined" startIcon={<AddIcon />}>
      {translate('members.create.title')}
    </Button>
  );
}

/** The search text, cut to the length that the service accepts. */
function asSearch(text: string): string {
  return text.trim().slice(0, 100);
}

function changed(old: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(old);
  for (const place of placeArguments) next.delete(place);
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
}
