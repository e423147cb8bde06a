import Typography from '@mui/material/Typography';
import type { components } from 'loyalty-client/generated/api';
import { useTranslate } from 'react-admin';
import { type FailedWork, useFailureText } from '../../i18n/useFailureText';
import { Section } from '../../ui/Section';

type Entry = components['schemas']['LogEntry'];

/** An action of a rule that was left out: the code of the offer or reward, and why. */
interface Omitted extends FailedWork {
  code: string | undefined;
}

/** What rules would have given and could not: offers, rewards, choices, and the share of the head of a family. */
export function NotGiven({ entries }: { entries: readonly Entry[] }) {
  const translate = useTranslate();
  const failureText = useFailureText();
  // Several rules may have named one offer.
  const omitted = new Map(
    entries.flatMap((entry) => omittedIn(entry) ?? []).map((each) => [`${each.code} ${each.error}`, each] as const),
  );
  if (omitted.size === 0) return null;
  return (
    <Section title={translate('activities.notGiven')}>
      <ul>
        {[...omitted].map(([key, { code, ...why }]) => (
          <Typography component="li" key={key}>
            {code === undefined ? failureText(why) : `${code}: ${failureText(why)}`}
          </Typography>
        ))}
      </ul>
    </Section>
  );
}

/** The results of the actions that say so of themselves, and the names by which they do. */
const doneNames = ['isIssued', 'isApplied', 'isPooled'] as const;

function omittedIn({ results }: Entry): Omitted | undefined {
  if (typeof results !== 'object' || results === null) return undefined;
  const found: Readonly<Record<string, unknown>> = { ...results };
  const { reason, fault, code, reward, rewards } = found;
  if (typeof reason !== 'string' || !doneNames.some((name) => found[name] === false)) return undefined;
  const named = code ?? reward ?? (Array.isArray(rewards) ? rewards.join(', ') : undefined);
  return {
    code: typeof named === 'string' ? named : undefined,
    error: reason,
    fault: fault as FailedWork['fault'],
  };
}
