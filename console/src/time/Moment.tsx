import { useLocale } from 'react-admin';
import { useZone } from './ZoneContext';
import { momentIn } from './zones';

/** A moment in the zone of the page, which it names; a dash when there is none. */
export function Moment({ at }: { at: string | number | Date | undefined | null }) {
  const zone = useZone();
  const locale = useLocale();
  if (at === undefined || at === null) return <>–</>;
  const moment = new Date(at);
  return <time dateTime={moment.toISOString()}>{momentIn(zone, moment, locale)}</time>;
}
