import Typography from '@mui/material/Typography';
import type { components } from 'loyalty-client/generated/api';
import { useLocale, useTranslate } from 'react-admin';

type Entry = components['schemas']['LogEntry'];

interface ReturnStepsProps {
  entries: readonly Entry[];
  /** What the rule with a key is called. */
  nameOf(key: string): string;
}

/** What a return does, step by step: how each award is decided, then what is taken from and given back to lots. */
export function ReturnSteps({ entries, nameOf }: ReturnStepsProps) {
  const sentence = useSentence(nameOf);
  if (entries.length === 0) return null;
  return (
    <ul>
      {entries.map((entry, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other identity, and never move here
        <Typography component="li" key={place}>
          {sentence(entry)}
        </Typography>
      ))}
    </ul>
  );
}

/** Says a step in words; one that the console does not know, as the service tells it. */
function useSentence(nameOf: (key: string) => string): (entry: Entry) => string {
  const translate = useTranslate();
  const locale = useLocale();
  return ({ action, results }) => {
    if (typeof results === 'string') return results;
    const told: Readonly<Record<string, unknown>> = results ? { ...results } : {};
    const kind = told.did === 'kept' && told.code !== undefined ? 'keptCode' : String(told.did ?? told.how ?? '');
    const values = Object.entries(told).map(([name, value]) => [
      name,
      typeof value === 'number' ? value.toLocaleString(locale) : value,
    ]);
    const rule = nameOf(String(told.rule));
    const unknown = typeof told.message === 'string' ? told.message : `${action}: ${JSON.stringify(results ?? {})}`;
    return translate(`activities.step.${action}.${kind}`, { ...Object.fromEntries(values), rule, _: unknown });
  };
}
