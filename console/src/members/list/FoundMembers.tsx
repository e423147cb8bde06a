import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { Fault } from '../../app/unread/Fault';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { type Member, memberName } from '../../ui/memberName';
import { PageLink } from '../../ui/PageLink';
import { Points } from '../../ui/Points';
import { type Column, Rows } from '../../ui/Rows';
import { StatusChip } from '../../ui/StatusChip';
import { placeArguments, type useMembers } from './useMembers';

interface FoundMembersProps {
  found: ReturnType<typeof useMembers>;
  params: URLSearchParams;
  isFiltered: boolean;
}

/** The members that were found, and the way to the next page. */
export function FoundMembers({ found, params, isFiltered }: FoundMembersProps) {
  const translate = useTranslate();
  const label = useFieldLabel();
  const { data, error, isFetching } = found;
  if (error) return <Fault error={error} />;
  const columns: Column<Member>[] = [
    { label: translate('members.find.member'), cell: titleOf },
    { label: label('loyaltyID'), cell: ({ loyaltyID }: Member) => loyaltyID },
    { label: label('email'), cell: ({ email }: Member) => email ?? '–', from: 'md' },
    { label: label('phone'), cell: ({ phone }: Member) => phone ?? '–', from: 'md' },
    { label: translate('members.find.level'), cell: levelOf, from: 'md' },
    {
      label: translate('members.find.points'),
      cell: (each: Member) => <Points points={pointsOf(each)} />,
      isNumber: true,
    },
    { label: label('status'), cell: ({ status }: Member) => <StatusChip status={status} />, from: 'md' },
  ];
  return (
    <>
      <LinearProgress
        sx={{ visibility: isFetching ? 'visible' : 'hidden' }}
        aria-label={translate('ra.page.loading')}
        aria-hidden={!isFetching}
      />
      {data ? (
        <Rows
          label={translate('menu.members')}
          rows={data.members}
          columns={columns}
          keyOf={({ _id }) => _id}
          empty={translate(isFiltered ? 'members.find.none' : 'members.find.empty')}
        />
      ) : null}
      <Pages params={params} next={data?.next} />
    </>
  );
}

function titleOf(member: Member) {
  return <PageLink to={`/members/${member._id}`}>{memberName(member)}</PageLink>;
}

function levelOf({ tiers }: Member): string {
  return tiers.map(({ level }) => level.name).join(', ') || '–';
}

function pointsOf({ purses }: Member): number {
  return (purses.find(({ primary }) => primary) ?? purses[0])?.availBalance ?? 0;
}

interface PagesProps {
  params: URLSearchParams;
  next: [name: string, value: string][] | undefined;
}

function Pages({ params, next }: PagesProps) {
  const translate = useTranslate();
  const first = new URLSearchParams(params);
  for (const name of placeArguments) first.delete(name);
  const isFirst = first.size === params.size;
  if (next === undefined && isFirst) return null;
  return (
    <Stack direction="row" component="nav" aria-label={translate('members.find.pages')} sx={{ p: 1, gap: 1 }}>
      {isFirst ? null : (
        <Button component={Link} to={{ search: first.toString() }}>
          {translate('members.find.first')}
        </Button>
      )}
      {next === undefined ? null : (
        <Button component={Link} to={{ search: withAll(first, next).toString() }}>
          {translate('members.find.next')}
        </Button>
      )}
    </Stack>
  );
}

function withAll(params: URLSearchParams, more: readonly (readonly [name: string, value: string])[]): URLSearchParams {
  const all = new URLSearchParams(params);
  for (const [name, value] of more) all.set(name, value);
  return all;
}
