import type { components } from 'loyalty-client/generated/api';
import { useLocale } from 'react-admin';
import { useServiceMessage } from '../../i18n/useServiceMessage';

/** Why an activity was refused, else the rules that gave points for it, else those that fired at all. */
export function FiredRules({ activity }: { activity: components['schemas']['ActivityHistory'] }) {
  const locale = useLocale();
  const text = useServiceMessage();
  const { ruleMatch, result } = activity;
  const fired = ruleMatch.filter((each) => each.fired);
  const giving = fired.filter(({ granted = 0 }) => granted > 0);
  const points = (granted = 0) => granted.toLocaleString(locale);
  const texts = result.errors.length > 0 ? result.errors.map(text) : fired.map(({ name }) => name);
  const parts = giving.length > 0 ? giving.map(({ name, granted }) => `${name}: ${points(granted)}`) : texts;
  return parts.length === 0 ? <>–</> : parts.map((line) => <div key={line}>{line}</div>);
}
