/** One metric of a scrape: its type, the names of its labels, and its values by labels as they are written. */
export interface ScrapedMetric {
  type: string;
  labels: ReadonlySet<string>;
  values: ReadonlyMap<string, number>;
}

/** What `GET /metrics` answers, by the name of the metric; the series of a histogram are in its metric. */
export type Scrape = ReadonlyMap<string, ScrapedMetric>;

/** Reads the metrics of a process. */
export async function scrape(baseUrl: string): Promise<Scrape> {
  const answer = await fetch(`${baseUrl}/metrics`);
  if (answer.status !== 200) throw new Error(`GET /metrics answered ${answer.status}`);
  return parseScrape(await answer.text());
}

/** Parses the text format of Prometheus, as far as the service writes it. */
export function parseScrape(text: string): Scrape {
  const metrics = new Map<string, { type: string; labels: Set<string>; values: Map<string, number> }>();
  for (const line of text.split('\n')) {
    const [, named, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (named && type) metrics.set(named, { type, labels: new Set(), values: new Map() });
    if (line === '' || line.startsWith('#')) continue;
    const end = line.lastIndexOf(' ');
    const [series = '', labels = ''] = line.slice(0, end).replace(/\}$/, '').split('{');
    const metric = metrics.get(series) ?? metrics.get(series.replace(/_(?:bucket|sum|count)$/, ''));
    if (!metric) throw new Error(`a value of an unknown metric: ${line}`);
    for (const [, label = ''] of labels.matchAll(/(\w+)="[^"]*"/g)) metric.labels.add(label);
    metric.values.set(labels === '' ? series : `${series}{${labels}}`, Number(line.slice(end + 1)));
  }
  return metrics;
}

/** The value of a series, such as `loyalty_activities_total{type="Accrual",status="Error"}`; 0 when it is not there. */
export function valueIn(metrics: Scrape, series: string): number {
  const [name = ''] = series.split('{');
  const metric = metrics.get(name) ?? metrics.get(name.replace(/_(?:bucket|sum|count)$/, ''));
  return metric?.values.get(series) ?? 0;
}
