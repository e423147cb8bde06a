import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { components } from 'loyalty-client/generated/api';
import { useTranslate } from 'react-admin';
import type { Member } from '../../ui/memberName';
import { usePurses } from '../../ui/reads';
import { Section } from '../../ui/Section';
import { Balances } from '../page/Balances';
import { Problems } from '../page/Problems';
import { RuleSentences } from '../page/RuleSentences';

interface OutcomeProps {
  member: Member;
  answer: components['schemas']['ActivityAnswer'];
}

/** What an activity that was only tried would do, and why. */
export function Outcome({ member, answer }: OutcomeProps) {
  const translate = useTranslate();
  const { data: before = member.purses } = usePurses(member._id);
  const { result, member: after, ruleMatch = [] } = answer;
  const levels = after?.tiers.filter(({ policyId, level }) => !hasLevel(member, policyId, level.name)) ?? [];
  return (
    <Section title={translate('activities.post.outcome')}>
      <div aria-live="polite">
        <Problems errors={result.errors} />
        {after ? <Balances before={before} after={after.purses} /> : null}
        <Stack sx={{ my: 1 }}>
          {levels.map(({ policyId, name, level }) => (
            <Typography key={policyId}>{translate('activities.post.level', { name, level: level.name })}</Typography>
          ))}
          {result.data?.issuedRewards?.map(({ code, name }) => (
            <Typography key={code}>{translate('activities.post.reward', { name })}</Typography>
          ))}
        </Stack>
        <RuleSentences matches={ruleMatch} />
      </div>
    </Section>
  );
}

function hasLevel({ tiers }: Member, policy: string, name: string): boolean {
  return tiers.some(({ policyId, level }) => policyId === policy && level.name === name);
}
