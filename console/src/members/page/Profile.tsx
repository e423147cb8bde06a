import Button from '@mui/material/Button';
import { useLocale, useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { inWords } from '../../definitions/Changes';
import { addressText } from '../../definitions/inputs/addressParts';
import { ReferenceName } from '../../definitions/ReferenceName';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { may } from '../../session/session';
import { DateTime } from '../../time/DateTime';
import { Fact } from '../../ui/Fact';
import { Facts } from '../../ui/Facts';
import type { Member } from '../../ui/memberName';
import { PageLink } from '../../ui/PageLink';
import { Section } from '../../ui/Section';
import { StatusChip } from '../../ui/StatusChip';
import { useWords } from '../../ui/useWords';

/** Who a member is, and how the service knows it. */
export function Profile({ member }: { member: Member }) {
  const translate = useTranslate();
  const words = useWords();
  const label = useFieldLabel();
  const locale = useLocale();
  const { _id, status, email, phone, birthDate, enrolledAt, enrollChannel, address, segments, referredBy } = member;
  const { familyHead, loyaltyIDs, referralCode, referrals, ext } = member;
  return (
    <Section title={translate('members.page.profile')} actions={<EditButton id={_id} />}>
      <Facts>
        <Fact label={label('status')}>
          <StatusChip status={status} />
        </Fact>
        <Fact label={label('type')}>{words('type', member.type)}</Fact>
        <Fact label={label('email')}>{email}</Fact>
        <Fact label={label('phone')}>{phone}</Fact>
        <Fact label={label('birthDate')}>{birthDate && dayText(birthDate, locale)}</Fact>
        <Fact label={label('address')}>{address && addressText(address)}</Fact>
        <Fact label={label('locale')}>{member.locale}</Fact>
        <Fact label={label('enrolledAt')}>
          <DateTime at={enrolledAt} />
        </Fact>
        <Fact label={label('enrollChannel')}>{enrollChannel && words('channel', enrollChannel)}</Fact>
        <Fact label={label('segments')}>
          {segments.length > 0 && may('segments:read')
            ? segments.map((id) => (
                <div key={id}>
                  <ReferenceName to="segments" id={id} />
                </div>
              ))
            : null}
        </Fact>
        <Fact label={label('loyaltyIDs')}>{loyaltyIDs.join(', ')}</Fact>
        <Fact label={label('referralCode')}>{referralCode}</Fact>
        <Fact label={translate('members.page.referrals')}>
          {referrals.length > 0 ? translate('members.page.referred', countsOf(referrals)) : null}
        </Fact>
        <Fact label={label('referredBy')}>{referredBy && <MemberLink id={referredBy} />}</Fact>
        <Fact label={label('familyHead')}>{familyHead && <MemberLink id={familyHead} />}</Fact>
        <Fact label={label('ext')}>{ext && inWords(ext)}</Fact>
        <Fact label={label('_id')}>{_id}</Fact>
      </Facts>
    </Section>
  );
}

function EditButton({ id }: { id: string }) {
  const translate = useTranslate();
  if (!may('members:update')) return null;
  return (
    <Button component={Link} to={`/members/${id}/edit`}>
      {translate('ra.action.edit')}
    </Button>
  );
}

function MemberLink({ id }: { id: string }) {
  const translate = useTranslate();
  return <PageLink to={`/members/${id}`}>{translate('members.page.open')}</PageLink>;
}

function countsOf(referrals: Member['referrals']) {
  const completed = referrals.filter(({ status }) => status === 'Completed').length;
  return { completed, pending: referrals.length - completed };
}

/** A day such as `1988-04-12`, which has no zone, in words. */
function dayText(day: string, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
}
