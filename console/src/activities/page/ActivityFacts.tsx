import type { components } from 'loyalty-client/generated/api';
import { useLocale, useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { DateTime } from '../../time/DateTime';
import { Fact } from '../../ui/Fact';
import { Facts } from '../../ui/Facts';
import { Money } from '../../ui/Money';
import { PageLink } from '../../ui/PageLink';
import { Section } from '../../ui/Section';
import { StatusChip } from '../../ui/StatusChip';
import { useWords } from '../../ui/useWords';

/** What an activity was. */
export function ActivityFacts({ activity }: { activity: components['schemas']['ActivityHistory'] }) {
  const translate = useTranslate();
  const locale = useLocale();
  const label = useFieldLabel();
  const words = useWords();
  const { value, currencyCode, returnedValue, srcChannelType, srcChannelID, location, partner, ext } = activity;
  return (
    <Section title={translate('activities.what')}>
      <Facts>
        <Fact label={label('status')}>
          <StatusChip status={activity.status} />
        </Fact>
        <Fact label={label('value')}>
          <Money amount={value} currency={currencyCode} />
        </Fact>
        <Fact label={label('returnedValue')}>
          {returnedValue === undefined ? null : <Money amount={returnedValue} currency={currencyCode} />}
        </Fact>
        <Fact label={label('srcChannelType')}>
          {[srcChannelType && words('channel', srcChannelType), srcChannelID].filter(Boolean).join(' · ')}
        </Fact>
        <Fact label={translate('resources.locations.name', { smart_count: 1 })}>{location?.name}</Fact>
        <Fact label={translate('resources.partners.name', { smart_count: 1 })}>{partner?.name}</Fact>
        <Fact label={label('couponCode')}>{activity.couponCode}</Fact>
        <Fact label={label('referralCode')}>{activity.referralCode}</Fact>
        <Fact label={label('payPoints')}>{activity.payPoints?.toLocaleString(locale)}</Fact>
        <Fact label={label('externalTxnId')}>{activity.externalTxnId}</Fact>
        <Fact label={translate('activities.original')}>
          {activity.originalTxnId ? (
            <PageLink to={`/activities/${activity.originalTxnId}`}>{translate('members.page.open')}</PageLink>
          ) : null}
        </Fact>
        <Fact label={translate('activities.processed')}>
          <DateTime at={activity.createdAt} />
        </Fact>
        <Fact label={translate('activities.ruleSet')}>{activity.ruleSet?.toLocaleString(locale)}</Fact>
        <Fact label={label('ext')}>{ext && JSON.stringify(ext)}</Fact>
        <Fact label={label('_id')}>{activity._id}</Fact>
      </Facts>
    </Section>
  );
}
