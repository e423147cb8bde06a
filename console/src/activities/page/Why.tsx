import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { client } from '../../api/client';
import { useSentences } from '../../i18n/useSentences';
import { useServiceMessage } from '../../i18n/useServiceMessage';
import { may } from '../../session/session';
import { PageLink } from '../../ui/PageLink';
import { memberDataKey } from '../../ui/reads';
import { Section } from '../../ui/Section';
import { RuleSentences } from './RuleSentences';

/** Why each rule fired or did not on the day of the activity: the nearest miss first, then those that fired. */
export function Why({ activity }: { activity: string }) {
  const translate = useTranslate();
  const text = useServiceMessage();
  const [isAll, setAll] = useState(false);
  const { data, error, isPending } = useExplanation(activity, isAll);
  return (
    <Section title={translate('activities.why.title')} error={error} isPending={isPending}>
      {data && data.ruleSet !== null ? (
        <Typography color="textSecondary" sx={{ mb: 1 }}>
          <Version version={data.ruleSet} />
        </Typography>
      ) : null}
      {data?.message ? <Typography sx={{ mb: 1 }}>{text({ ...data, message: data.message })}</Typography> : null}
      {data && data.ruleMatch.length > 0 ? (
        <RuleSentences matches={data.ruleMatch} nearestMiss={data.nearestMiss} />
      ) : null}
      {data?.omitted ? (
        <Button onClick={() => setAll(true)}>{translate('activities.why.all', { smart_count: data.omitted })}</Button>
      ) : null}
    </Section>
  );
}

/** The version of the rule set that decided, with a link to all versions for users with the permission. */
function Version({ version }: { version: number }) {
  const translate = useTranslate();
  const text = translate('activities.why.version', { version });
  return may('rulesets:read') ? <PageLink to="/rulesets">{text}</PageLink> : text;
}

function useExplanation(activity: string, isAll: boolean) {
  const sentences = useSentences();
  return useQuery({
    queryKey: [memberDataKey, 'why', activity, isAll, sentences],
    queryFn: ({ signal }) => {
      const params = { path: { id: activity }, query: { ...(isAll ? { all: true } : {}), ...sentences } };
      return result(client.GET('/api/v1/activityhistories/{id}/explain', { params, signal }));
    },
  });
}
