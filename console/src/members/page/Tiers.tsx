import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useLocale, useTranslate } from 'react-admin';
import { DateTime } from '../../time/DateTime';
import { useZone } from '../../time/ZoneContext';
import { dateTimeIn } from '../../time/zones';
import type { Member } from '../../ui/memberName';
import { useForecast } from '../../ui/reads';
import { Section } from '../../ui/Section';

type Forecast = NonNullable<ReturnType<typeof useForecast>['data']>;
type TierForecast = Forecast['tiers'][number];

/** The levels of a member, how far it is to the next ones, and what keeps those that it has. */
export function Tiers({ member }: { member: Member }) {
  const translate = useTranslate();
  const { data, error, isPending } = useForecast(member._id);
  return (
    <Section title={translate('members.page.tiers')} error={error} isPending={isPending}>
      {data?.tiers.length === 0 ? (
        <Typography color="textSecondary">{translate('members.tier.noPolicy')}</Typography>
      ) : null}
      <Stack spacing={2}>
        {data?.tiers.map((tier) => (
          <OneTier key={tier.policyId} tier={tier} />
        ))}
      </Stack>
    </Section>
  );
}

function OneTier({ tier }: { tier: TierForecast }) {
  const translate = useTranslate();
  const { name, level, expiresOn, outlook, graceUntil, keep, next } = tier;
  return (
    <div>
      <Typography variant="h3">
        {name}: {level?.name ?? translate('members.tier.none')}
      </Typography>
      {expiresOn ? (
        <Typography variant="body2" color="textSecondary">
          {translate('members.tier.until')} <DateTime at={expiresOn} />
        </Typography>
      ) : null}
      {outlook && outlook !== 'needs' ? (
        <Typography variant="body2">{translate(`members.tier.outlook.${outlook}`)}</Typography>
      ) : null}
      {outlook === 'needs' && graceUntil ? (
        <Typography variant="body2">
          {translate('members.tier.grace')} <DateTime at={graceUntil} />
        </Typography>
      ) : null}
      {keep ? <Need need={keep} kind="keep" /> : null}
      {next ? <Need need={next} kind="next" /> : null}
    </div>
  );
}

interface NeedProps {
  need: NonNullable<TierForecast['next']>;
  kind: 'keep' | 'next';
}

/** How much of what a level needs is there, and what is missing. */
function Need({ need, kind }: NeedProps) {
  const locale = useLocale();
  const sentence = useSentence(need, kind);
  const { value, atLeast } = need;
  const share = atLeast > 0 ? Math.min(100, Math.max(0, (100 * value) / atLeast)) : 100;
  return (
    <Stack spacing={0.5} sx={{ mt: 1 }}>
      <LinearProgress variant="determinate" value={share} aria-label={sentence} sx={{ height: 8, borderRadius: 4 }} />
      <Typography variant="body2">
        {sentence} ({value.toLocaleString(locale)} / {atLeast.toLocaleString(locale)})
      </Typography>
    </Stack>
  );
}

/** What is missing, in words. English has the sentence of the service; other languages make their own. */
function useSentence({ metric, missing, by, level, sentence }: NeedProps['need'], kind: 'keep' | 'next'): string {
  const translate = useTranslate();
  const locale = useLocale();
  const zone = useZone();
  // The last instant that counts: `by` itself is the first that does not.
  const until = by === undefined ? undefined : dateTimeIn(zone, Date.parse(by) - 1, locale);
  return translate(`members.tier.${kind}.${by === undefined ? 'anyTime' : 'until'}`, {
    sentence,
    until,
    level: level.name,
    missing: missing.toLocaleString(locale),
    metric: translate(`members.metric.${metric}`, { _: metric }),
  });
}
