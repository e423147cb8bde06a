import { FixedOffsetZone, IANAZone, type Zone } from 'luxon';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { otherNames, places } from './zoneTable';

/** The names of all time zones, as they are stored: `UTC`, and those of IANA such as `Europe/Berlin`. */
export const timezones: readonly string[] = [
  'UTC',
  ...Object.entries(places).flatMap(([area, names]) => splitWords(names).map((place) => `${area}/${place}`)),
];

/** The stored name of each zone by each of its names in lower case. */
const storedNames = new Map([
  ...timezones.map((zone) => [zone.toLowerCase(), zone] as const),
  ...otherNames
    .trim()
    .split(/\n(?= {2}\S)/)
    .flatMap((line) => {
      const [zone = '', names = ''] = line.split(':');
      return splitWords(names).map((name) => [name.toLowerCase(), zone.trim()] as const);
    }),
]);

function splitWords(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The name under which a time zone is stored, of any of its names in any case; undefined when there is no such zone. */
export function timezoneNamed(name: string): string | undefined {
  return storedNames.get(name.toLowerCase());
}

/** Other names of time zones than the stored ones, in lower case. */
export function otherTimezoneNames(): string[] {
  return [...storedNames].flatMap(([name, zone]) => (name === zone.toLowerCase() ? [] : [name]));
}

/** Tells whether two records have the same time zone, whatever names of it an earlier version has stored. */
export function isSameTimezone(one: string, other: string): boolean {
  const [left, right] = [zoneFor(one), zoneFor(other)];
  return one === other || (left !== undefined && right !== undefined && left.equals(right));
}

/**
 * The time zone of a record.
 * @throws ServiceError 1200 when an earlier version has stored what is no zone
 */
export function zoneOfRecord(timezone: string): Zone {
  const zone = zoneFor(timezone);
  if (zone) return zone;
  throw invalidField('timezone', 'format', message('schema.storedTimezone', { timezone }));
}

/** Tells whether the service can compute with the time zone of a record. */
export function isUsableTimezone(timezone: string): boolean {
  return zoneFor(timezone) !== undefined;
}

/** Earlier versions stored what Node.js took: other names, offsets, and zones that are not in the list yet. */
function zoneFor(timezone: string): Zone | undefined {
  const named = timezoneNamed(timezone);
  if (named !== undefined) return IANAZone.create(named);
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(timezone) ?? [];
  if (hours === undefined) return IANAZone.isValidZone(timezone) ? IANAZone.create(timezone) : undefined;
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset === 0) return IANAZone.create('UTC');
  const back = sign === '-' ? -offset : offset;
  const whole = offset % 60 === 0 && timezoneNamed(`Etc/GMT${back > 0 ? '-' : '+'}${offset / 60}`);
  return whole ? IANAZone.create(whole) : FixedOffsetZone.instance(back);
}

/** Names that the tables of some versions of MongoDB lack, with names of the same clocks since 2010. */
const olderNames: Readonly<Record<string, string>> = {
  'America/Ciudad_Juarez': 'America/Denver',
  'Europe/Kyiv': 'Europe/Kiev',
};

/** The time zone of a record, as the expressions of MongoDB take it. */
export function zoneInStore(timezone: string): string {
  const zone = zoneOfRecord(timezone);
  return zone.isUniversal && zone.name !== 'UTC' ? zone.formatOffset(0, 'short') : (olderNames[zone.name] ?? zone.name);
}
