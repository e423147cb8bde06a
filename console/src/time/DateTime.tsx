import { useLocale } from 'react-admin';
import { useZone } from './ZoneContext';
import { dateTimeIn } from './zones';

/** An instant in the zone of the page, which it names; a dash when there is none. */
export function DateTime({ at }: { at: string | number | Date | undefined | null }) {
  const zone = useZone();
  const locale = useLocale();
  if (at === undefined || at === null) return <>–</>;
  const date = new Date(at);
  return <time dateTime={date.toISOString()}>{dateTimeIn(zone, date, locale)}</time>;
}
