const minuteMs = 60_000;

/** An instant in a zone, with the zone's name for it: `24 Nov 2026, 13:05 CET`. */
export function dateTimeIn(zone: string, date: string | number | Date, locale: string): string {
  return format(locale, zone, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(date));
}

/** An instant as the value of an input of type `datetime-local`, in a zone. */
export function toInputText(date: string | number | Date, zone: string): string {
  const { year, month, day, hour, minute } = partsIn(zone, new Date(date));
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/**
 * The instant that the value of an input of type `datetime-local` means in a zone, in ISO 8601. Of two instants when
 * clocks are set back it is the earlier; one that clocks skip is as long after midnight as it says. Undefined for other
 * texts.
 */
export function fromInputText(text: string, zone: string): string | undefined {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  const offsets = [asUtc - 24 * 60 * minuteMs, asUtc + 24 * 60 * minuteMs].map((around) => offsetMs(zone, around));
  const candidates = offsets.map((offset) => asUtc - offset).filter((each) => each + offsetMs(zone, each) === asUtc);
  const [before = 0] = offsets;
  return new Date(candidates.length > 0 ? Math.min(...candidates) : asUtc - before).toISOString();
}

/** How far the clocks of a zone are before UTC at an instant, in milliseconds. */
function offsetMs(zone: string, at: number): number {
  const whole = Math.floor(at / minuteMs) * minuteMs;
  return Date.parse(`${toInputText(whole, zone)}Z`) - whole;
}

function partsIn(zone: string, date: Date): Record<string, string> {
  const options = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const parts = format('en-CA', zone, { ...options, hourCycle: 'h23' }).formatToParts(date);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

const made = new Map<string, Intl.DateTimeFormat>();

/** Making a format is slow, so each is made once. A zone that the browser does not know is shown as UTC. */
function format(locale: string, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, zone, options]);
  const known = made.get(key);
  if (known) return known;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
  } catch {
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  }
  made.set(key, format);
  return format;
}
