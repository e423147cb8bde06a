import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parse } from 'yaml';
import { createInboxDrain } from '#activities/inbox/inboxDrain';
import { runSchedule, schedules } from '#operations/jobs/schedules';
import { serveWorker } from '#server/serve';
import { read, root } from '../docs/pages';
import { type Scrape, scrape } from '../support/scrape';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { metricsOf } from './promql';

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}
interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { h: number; w: number; x: number; y: number };
  targets?: { expr: string; legendFormat: string }[];
}

const rules = parse(read('monitoring/alerts.yml')) as { groups: { name: string; rules: Alert[] }[] };
const alerts = rules.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('monitoring/grafana/loyalty.json')) as {
  title: string;
  panels: Panel[];
  templating: { list: { name: string; query: string | { query: string } }[] };
};
const charts = dashboard.panels.filter(({ type }) => type === 'timeseries');
const operating = read('docs/operating.md');

let world: World;
/** What an API and a worker show after some traffic. */
let scrapes: Record<'api' | 'worker', Scrape>;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule], config: { WORKER_PORT: 0 } });
  const worker = await serveWorker(world.services);
  await traffic();
  scrapes = { api: await scrape(world.server.url), worker: await scrape(worker.url) };
  await worker.close();
});
afterAll(() => world.close());

async function traffic(): Promise<void> {
  const { services } = world;
  const { _id: memberID } = await world.addMember();
  const client = world.server.as('client');
  await client.post('/activity', { type: 'Accrual', memberID, value: 5 });
  await client.post('/activity', { type: 'Redemption', memberID, value: 500 });
  await client.post('/activity?async=true', { type: 'Accrual', memberID, value: 5 });
  const inbox = createInboxDrain(services);
  await inbox.drain();
  await inbox.close();
  for (const schedule of schedules) await runSchedule(services, schedule);
}

/** Labels that Prometheus adds to what it scrapes. */
const ofPrometheus = new Set(['instance', 'job']);

/** Labels of a series that were not in this traffic, because they only come with a fault. */
const rare: Record<string, string[]> = {
  http_connections_cut_total: ['reason'],
  loyalty_commit_conflicts_total: ['reason'],
  loyalty_ruleset_faults: ['org', 'program'],
  loyalty_programs_without_rules: ['org', 'program'],
};

/** What is wrong with a metric that a rule or a chart names, in every process that lacks it. */
function faultsOf({ metric, labels }: { metric: string; labels: string[] }): string[] {
  if (metric === 'up') return labels.filter((label) => !ofPrometheus.has(label));
  return Object.entries(scrapes).flatMap(([name, metrics]) => {
    const found = metrics.get(metric) ?? metrics.get(metric.replace(/_(?:bucket|sum|count)$/, ''));
    if (!found) return [`${name} has no ${metric}`];
    const own = new Set([...found.labels, ...(rare[metric] ?? [])]);
    const isKnown = (label: string) =>
      label === 'exported_job' ? own.has('job') : own.has(label) || ofPrometheus.has(label);
    return labels.filter((label) => !isKnown(label)).map((label) => `${name}: ${metric} has no label ${label}`);
  });
}

const usedIn = (expression: string) => metricsOf(expression).flatMap(faultsOf);

test.each(alerts)('$alert names metrics and labels that API and worker have', ({ expr }) => {
  expect(metricsOf(expr)).not.toEqual([]);
  expect(usedIn(expr)).toEqual([]);
});

test.each(charts)('the chart "$title" shows metrics and labels that API and worker have', ({ targets = [] }) => {
  for (const { expr, legendFormat } of targets) {
    expect(usedIn(expr)).toEqual([]);
    const groupings = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '));
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
    expect(shown.filter((label) => !groupings.includes(label ?? ''))).toEqual([]);
  }
  expect(targets).not.toEqual([]);
});

test('the check finds an unknown metric and an unknown label', () => {
  expect(usedIn('rate(loyalty_nothing_total[5m]) > 0')).toHaveLength(2);
  expect(usedIn('sum by (colour) (loyalty_activities_total{kind="x"})')).toHaveLength(4);
  expect(() => metricsOf('holt_winters(up[5m])')).toThrow('holt_winters');
});

test('every metric of the service is on the dashboard', () => {
  const shown = charts.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsOf(expr)));
  const names = new Set(shown.map(({ metric }) => metric.replace(/_(?:bucket|sum|count)$/, '')));
  const own = [...scrapes.api.keys()].filter((name) => !/^(?:process|nodejs|test)_/.test(name));
  expect(own.filter((name) => !names.has(name))).toEqual([]);
});

test('every alert has a section in the runbook with what to look at and what to do, and no section is without alert', () => {
  const sections = operating.split(/^(?=#+ )/m).filter((each) => each.startsWith('### Loyalty'));
  const named = sections.map((each) => each.slice('### '.length, each.indexOf('\n')));
  expect(named.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
  for (const section of sections) expect(section).toMatch(/\n- Look at: [\s\S]+\n- Do: /);
  for (const { alert, labels, annotations } of alerts) {
    expect(annotations.runbook_url).toBe(`docs/operating.md#${alert.toLowerCase()}`);
    expect(annotations.summary.length).toBeGreaterThan(10);
    expect(['critical', 'warning']).toContain(labels.severity);
  }
});

test('the dashboard has no chart twice, none on another, and every variable that it uses', () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_unused, n) => `${x + (n % w)}/${y + Math.floor(n / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(charts.filter(({ description = '' }) => description === '')).toEqual([]);
  const known = new Set([...dashboard.templating.list.map(({ name }) => name), '__rate_interval', '__all']);
  const used = [...read('monitoring/grafana/loyalty.json').matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test('Prometheus scrapes API and worker under the job that rules and dashboard name, with the token', () => {
  const { rule_files, scrape_configs } = parse(read('monitoring/prometheus.yml'));
  expect(rule_files).toEqual(['/etc/prometheus/alerts.yml']);
  expect(scrape_configs).toMatchObject([
    {
      job_name: 'loyalty',
      authorization: { credentials_file: '/run/secrets/metrics_token' },
      dns_sd_configs: [
        { names: ['api'], type: 'A', port: 3000 },
        { names: ['worker'], type: 'A', port: 3001 },
      ],
    },
  ]);
});

const promtool = (process.env.PATH ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'promtool'))
  .find((file) => {
    try {
      execFileSync(file, ['--version'], { stdio: 'pipe' });
      return true;
    } catch {
      return false;
    }
  });

test(`promtool accepts the rules${promtool ? '' : ': it is not on PATH, so only their structure is checked'}`, () => {
  for (const { expr } of alerts) {
    for (const [open, close] of ['()', '{}', '[]']) {
      expect(expr.split(open ?? '').length).toBe(expr.split(close ?? '').length);
    }
  }
  const names = alerts.map(({ alert }) => alert);
  expect(new Set(names).size).toBe(names.length);
  if (!promtool) return;
  const rulesFile = path.join(root, 'monitoring/alerts.yml');
  expect(execFileSync(promtool, ['check', 'rules', rulesFile], { encoding: 'utf8' })).toContain('SUCCESS');
});
