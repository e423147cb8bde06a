import { execFileSync } from 'node:child_process';
import { ObjectId } from 'bson';
import { createInboxDrain } from '#activities/inbox/inboxDrain';
import { openTracer, tracerLimits } from '#base/tracing/openTracer';
import { root } from '../../docs/pages';
import { openTraceReceiver, type ReceivedSpan, type TraceReceiver } from '../../support/traceReceiver';
import { earnRule, openWorld, type World } from '../../support/world';

let receiver: TraceReceiver;
let world: World;
let memberID: string;
beforeAll(async () => {
  jest.replaceProperty(tracerLimits as { sendEveryMs: number }, 'sendEveryMs', 20);
  receiver = await openTraceReceiver();
  world = await openWorld({ rules: [earnRule], config: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } });
  memberID = (await world.addMember())._id.toHexString();
});
afterAll(async () => {
  jest.restoreAllMocks();
  await world.close();
  await receiver.close();
});

let traces = 0;
/** A `traceparent` of a client, with the id of its trace. */
function clientTrace(flags = '01') {
  traces += 1;
  const traceId = traces.toString(16).padStart(32, 'c');
  const spanId = traces.toString(16).padStart(16, 'd');
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

const activity = (value = 3) => ({ type: 'Accrual', memberID, value });
const post = (query: string, headers: Record<string, string>) =>
  world.server.as('client').post(`/activity${query}`, activity(), { headers });

/** The spans of a trace, once the request and as many activities have ended. */
async function traceOf(traceId: string, activities: number): Promise<Record<string, ReceivedSpan>> {
  const own = (spans: readonly ReceivedSpan[]) => spans.filter((span) => span.traceId === traceId);
  const names = ['POST /activity', 'batch', 'commit'];
  const spans = await receiver.until((all) => {
    const found = own(all);
    const ended = found.filter(({ name }) => name === 'activity').length;
    return ended >= activities && names.every((name) => found.some((span) => span.name === name));
  });
  return Object.fromEntries(own(spans).map((span) => [span.name, span]));
}

test('a post is one trace: request, activity, batch, and its load, decision and commit', async () => {
  const { traceId, spanId, headers } = clientTrace();
  const { body } = await post('', headers);
  const spans = await traceOf(traceId, 1);
  const { activity, batch, load, decide, commit, 'POST /activity': request } = spans;
  expect(Object.keys(spans)).toHaveLength(6);
  expect(request).toMatchObject({ kind: 2, parentSpanId: spanId, isFailed: false });
  expect(request?.attributes).toMatchObject({
    'http.route': '/activity',
    'http.response.status_code': 200,
    'loyalty.request_id': expect.any(String),
  });
  expect(activity).toMatchObject({ kind: 1, parentSpanId: request?.spanId });
  expect(activity?.attributes).toMatchObject({
    'loyalty.activity_id': body.result.data.activityId,
    'loyalty.status': 'Processed',
  });
  expect(batch).toMatchObject({ parentSpanId: activity?.spanId, links: [{ traceId, spanId: activity?.spanId }] });
  for (const part of [load, decide, commit]) expect(part?.parentSpanId).toBe(batch?.spanId);
});

test('an accepted activity is processed in the trace of its post, and linked with it', async () => {
  const { traceId, headers } = clientTrace();
  expect((await post('?async=true', headers)).status).toBe(202);
  const inbox = createInboxDrain(world.services);
  await inbox.drain();
  await inbox.close();
  const { activity, 'POST /activity': request } = await traceOf(traceId, 1);
  const link = { traceId, spanId: request?.spanId };
  expect(activity).toMatchObject({ kind: 5, parentSpanId: request?.spanId, links: [link] });
});

test('a batch of several activities is linked with all of them, and each with the batch', async () => {
  const { services, author } = world;
  const sent = await Promise.all(
    [clientTrace(), clientTrace(), clientTrace()].map(async (trace) => {
      const [member] = [await world.addMember()];
      return { ...trace, member };
    }),
  );
  const before = receiver.spans.length;
  // Requests of one tick join the same batch.
  await Promise.all(
    sent.map(({ headers, member }) =>
      services.pipeline.submit({
        author,
        historyId: new ObjectId(),
        activity: { type: 'Accrual', date: services.clock.now(), value: 1, lineItems: [], memberID: member._id },
        origin: { requestId: 'r', traceparent: headers.traceparent },
      }),
    ),
  );
  const isDone = (spans: readonly ReceivedSpan[]) =>
    spans.slice(before).filter(({ name }) => name === 'activity').length === 3 &&
    spans.slice(before).some(({ name }) => name === 'batch');
  const spans = (await receiver.until(isDone)).slice(before);
  const batches = spans.filter(({ name }) => name === 'batch');
  const activities = spans.filter(({ name }) => name === 'activity');
  expect(batches).toHaveLength(1);
  const ids = (all: readonly { spanId: string }[]) => all.map(({ spanId }) => spanId).sort();
  expect(ids(batches[0]?.links ?? [])).toEqual(ids(activities));
  const [first, ...others] = sent.map(({ traceId }) => activities.find((span) => span.traceId === traceId));
  expect(batches[0]?.parentSpanId).toBe(first?.spanId);
  for (const other of others) expect(other?.links.map(({ spanId }) => spanId)).toEqual([batches[0]?.spanId]);
});

test('a trace that its client does not record is not recorded here either, and an invalid one is replaced', async () => {
  const before = receiver.spans.length;
  const unrecorded = clientTrace('00');
  await post('', unrecorded.headers);
  const invalid = ['', 'x', `00-${'0'.repeat(32)}-${'d'.repeat(16)}-01`, `ff-${'c'.repeat(32)}-${'d'.repeat(16)}-01`];
  for (const traceparent of invalid) expect((await post('', { traceparent })).status).toBe(200);
  const ended = (spans: readonly ReceivedSpan[]) =>
    spans.slice(before).filter(({ name }) => name === 'POST /activity').length >= invalid.length;
  const spans = (await receiver.until(ended)).slice(before);
  expect(spans.filter(({ traceId }) => traceId === unrecorded.traceId)).toEqual([]);
  const requests = spans.filter(({ name }) => name === 'POST /activity');
  expect(requests.map(({ parentSpanId }) => parentSpanId ?? '')).toEqual(invalid.map(() => ''));
});

test('no span has a body, an argument, a token or a path with ids', async () => {
  const { traceId, headers } = clientTrace();
  await world.server.as('admin').get(`/members/${memberID}?select={"email":1}`, { headers });
  const spans = await receiver.until((all) => all.some((span) => span.traceId === traceId));
  const text = JSON.stringify(spans.filter((span) => span.traceId === traceId));
  expect(text).toContain('/members/:id');
  expect(text).not.toContain(memberID);
  expect(text).not.toMatch(/select|email|eyJ/);
});

const settings = { OTEL_SERVICE_NAME: 'test', OTEL_TRACES_SAMPLER_ARG: 1 };

test.each([
  ['is away', async () => ({ url: 'http://127.0.0.1:9', close: async () => undefined })],
  ['never answers', () => openTraceReceiver({ isSilent: true })],
])(
  'when the receiver %s, spans are dropped beyond a limit, and the end waits two seconds at most',
  async (_what, open) => {
    const away = await open();
    const lines: unknown[] = [];
    const log = { ...world.services.log, warn: (line: unknown) => lines.push(line) } as typeof world.services.log;
    const tracer = await openTracer({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: away.url }, log);
    for (let n = 0; n < tracerLimits.spansMax * 3; n += 1) tracer?.start('span').end();
    const startedAt = performance.now();
    await tracer?.close();
    // A busy machine may be late, but not by as much as sending takes.
    expect(performance.now() - startedAt).toBeLessThan(tracerLimits.closeMaxMs + tracerLimits.sendMaxMs);
    expect(lines.length).toBeLessThanOrEqual(1);
    await away.close();
  },
);

test('the recorded share of traces that begin here is that of the settings, and 0 records none', async () => {
  const tracer = await openTracer(
    { ...settings, OTEL_TRACES_SAMPLER_ARG: 0, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
    world.services.log,
  );
  const span = tracer?.start('span');
  expect(span?.isSampled).toBe(false);
  expect(span?.child('below').isSampled).toBe(false);
  expect(tracer?.start('recorded', { parent: clientTrace().headers.traceparent }).isSampled).toBe(true);
  await tracer?.close();
});

test('without a receiver, API and worker load only the API package of OpenTelemetry', () => {
  const program = `
    require('./src/server/app'); require('./src/server/serve'); require('./workers/startWorkers');
    const { openTracer } = require('./src/base/tracing/openTracer');
    const { readConfig } = require('./src/platform/infrastructure/config');
    openTracer(readConfig({}), undefined).then((tracer) => {
      const loaded = Object.keys(require.cache).filter((file) => file.includes('@opentelemetry') && !file.includes('@opentelemetry/api/'));
      console.log(JSON.stringify({ tracer: tracer ?? null, loaded, all: Object.keys(require.cache).length }));
    });`;
  const options = { cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH } } as const;
  const out = execFileSync(process.execPath, ['-r', './test/support/registerTypeScript.cjs', '-e', program], options);
  const { tracer, loaded, all } = JSON.parse(out);
  expect({ tracer, loaded }).toEqual({ tracer: null, loaded: [] });
  expect(all).toBeGreaterThan(500);
});
