import { isUsableTimezone, timezoneNamed } from '#base/calendar/timezones';
import { collectionOf } from '#base/db/collections';
import { currencies } from '#base/schema/currencies';
import { locationResource } from '#records/catalog/location';
import { programResource } from '#records/programs/program';
import { type Check, type Deployment, failure, first, warning } from './check';

/** The most records that are looked at, and that a finding names. */
const lookedMax = 10_000;
const namedMax = 20;

interface Zoned {
  name: string;
  timezone: string;
}

/** The programs and locations with a time zone in an outdated spelling. */
async function oddZones({ db }: Deployment): Promise<Zoned[]> {
  const options = { projection: { code: 1, number: 1, timezone: 1 } };
  const programs = await collectionOf(db, programResource).find({}, options).limit(lookedMax).toArray();
  const hasZone = { timezone: { $exists: true } };
  const locations = await collectionOf(db, locationResource).find(hasZone, options).limit(lookedMax).toArray();
  return [
    ...programs.map(({ code, timezone }) => ({ name: `program ${code}`, timezone })),
    ...locations.map(({ number, timezone = 'UTC' }) => ({ name: `location ${number}`, timezone })),
  ].filter(({ timezone }) => timezoneNamed(timezone) !== timezone);
}

function listZoned(zoned: readonly Zoned[]): string {
  const named = zoned.slice(0, namedMax).map(({ name, timezone }) => `${name} (${timezone})`);
  return `${named.join(', ')}${zoned.length > namedMax ? `, and ${zoned.length - namedMax} more` : ''}`;
}

/** Checks of definitions that earlier versions stored in a form that is refused today. */
export const definitionChecks: readonly Check[] = [
  {
    name: 'definitions.timezones',
    async run(at) {
      const odd = await oddZones(at);
      const unusable = odd.filter(({ timezone }) => !isUsableTimezone(timezone));
      const advice = 'Give these programs and locations an IANA time zone.';
      return first(
        [
          unusable.length > 0 && failure(`no time zones: ${listZoned(unusable)}`, advice),
          odd.length > 0 &&
            warning(`written otherwise: ${listZoned(odd)}`, `${advice} Until then they are read as meant.`),
        ],
        'all are in the list',
      );
    },
  },
  {
    name: 'definitions.currencies',
    async run({ db }) {
      const options = { projection: { code: 1, currencyCode: 1 } };
      const found = collectionOf(db, programResource).find(
        { currencyCode: { $exists: true, $nin: [...currencies] } },
        options,
      );
      const named = (await found.limit(namedMax).toArray()).map(
        ({ code, currencyCode }) => `program ${code} (${currencyCode})`,
      );
      const advice =
        'Give these programs the ISO 4217 code of their amounts: activities that name it are refused until then.';
      return first(
        [named.length > 0 && warning(`no codes of ISO 4217: ${named.join(', ')}`, advice)],
        'all are in the list',
      );
    },
  },
];
