import { register } from 'prom-client';
import '#server/app';
import '#server/services/services';
import { showStoreGauges } from '#base/metrics/storeGauges';
import { gaugesOfStores } from '#server/services/gaugesOfStores';
import { namesIn, read, tableBelow } from './pages';

const rows = tableBelow(read('docs/design/metrics.md'), 'Metrics of a process');

/** What the process registers, besides what prom-client measures of the process, and what tests register. */
function registered() {
  showStoreGauges(gaugesOfStores, { db: undefined as never, clock: { now: () => new Date() }, openedAt: new Date() })();
  return register
    .getMetricsAsArray()
    .filter(({ name }) => !/^(?:process|nodejs|test)_/.test(name))
    .map((metric) => {
      // The types of prom-client leave these fields out.
      const { name, type, labelNames } = metric as unknown as { name: string; type: string; labelNames: string[] };
      return { name, type, labels: labelNames.filter((label) => label !== 'le').sort() };
    });
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);

test('the page lists every metric with its type and labels, and no other', () => {
  const actual = rows.map(([name, type = '', labels = '']) => ({
    name: namesIn(name)[0] ?? '',
    type: type.replace(', store', ''),
    labels: namesIn(labels).sort(),
  }));
  expect(actual.sort(byName)).toEqual(registered().sort(byName));
});

test('the page says which gauges are read from the store', () => {
  const actual = rows.filter(([, type = '']) => type.endsWith(', store')).map(([name]) => namesIn(name)[0]);
  expect(actual.sort()).toEqual(gaugesOfStores.flatMap(({ gauges }) => Object.keys(gauges)).sort());
});
