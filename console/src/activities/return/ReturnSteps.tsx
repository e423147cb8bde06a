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

/** Puts a step into words; an unknown step is shown as the service words it. */
function useSentence(nameOf: (key: string) => string): (entry: Entry) => string {
  const translate = useTranslate();
  const locale = useLocale();
  return ({ action, results }) => {
    if (typeof results === 'string') return results;
    const params: Readonly<Record<string, unknown>> = results ? { ...results } : {};
    const kind =
      params.did === 'kept' && params.code !== undefined ? 'keptCode' : String(params.did ?? params.how ?? '');
    const values = Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'number' ? value.toLocaleString(locale) : value,
    ]);
    const rule = nameOf(String(params.rule));
    const unknown = typeof params.message === 'string' ? params.message : `${action}: ${JSON.stringify(results ?? {})}`;
    return translate(`activities.step.${action}.${kind}`, { ...Object.fromEntries(values), rule, _: unknown });
  };
}
