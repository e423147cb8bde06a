import type { Context, Span, SpanContext, SpanKind } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { elapsedMs } from '#base/common/clock';
import { runningVersion } from '#base/common/version';
import { withinTime } from '#base/common/withinTime';
import { type SpanStart, type StartedSpan, type Tracer, validTraceparent } from './tracer';

/** Where and how many traces are sent. */
export interface TracerSettings {
  /** Base URL of a receiver of OTLP over HTTP. */
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  OTEL_SERVICE_NAME: string;
  /** Share of the traces that begin here, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: number;
}

/**
 * Limits of what is kept while the receiver is unavailable, and of waiting for it. Beyond `spansMax` spans are dropped;
 * no request waits for them.
 */
export const tracerLimits = {
  spansMax: 2048,
  batchMax: 512,
  sendEveryMs: 2000,
  sendMaxMs: 5000,
  closeMaxMs: 2000,
  complainEveryMs: 60_000,
} as const;

/** The packages of OpenTelemetry. They are loaded only here, so a process without traces does not have them. */
async function loadPackages() {
  const [api, sdk, resources, exporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  return { api, sdk, resources, exporter };
}

type Packages = Awaited<ReturnType<typeof loadPackages>>;

/** Opens the tracer of a process; undefined when no receiver is set. */
export async function openTracer(settings: TracerSettings, log: Logger): Promise<Tracer | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  if (endpoint === undefined) return undefined;
  const packages = await loadPackages();
  const provider = openProvider(packages, { ...settings, endpoint }, log);
  const tracer = provider.getTracer('loyalty-engagement-service', runningVersion().version);
  const spans = createSpans(packages.api, (name, options, context) => tracer.startSpan(name, options, context));
  return {
    start: spans.start,
    close: async () => void (await withinTime(tracerLimits.closeMaxMs, provider.shutdown())),
  };
}

function openProvider(packages: Packages, settings: TracerSettings & { endpoint: string }, log: Logger) {
  const { sdk, resources, exporter } = packages;
  const url = `${settings.endpoint.replace(/\/$/, '')}/v1/traces`;
  const sent = new exporter.OTLPTraceExporter({ url, timeoutMillis: tracerLimits.sendMaxMs, concurrencyLimit: 2 });
  const processor = new sdk.BatchSpanProcessor({
    exporter: complaining(sent, log),
    maxQueueSize: tracerLimits.spansMax,
    maxExportBatchSize: tracerLimits.batchMax,
    scheduledDelayMillis: tracerLimits.sendEveryMs,
    exportTimeoutMillis: tracerLimits.sendMaxMs,
  });
  return new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': settings.OTEL_SERVICE_NAME,
      'service.version': runningVersion().version,
      'process.pid': process.pid,
    }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG),
    }),
    // A batch is linked to each of its activities.
    spanLimits: { linkCountLimit: 256, attributeCountLimit: 32, attributeValueLengthLimit: 300 },
    spanProcessors: [processor],
  });
}

/** An exporter that logs a failure, at most once a minute. OpenTelemetry would only tell a logger of its own. */
function complaining(exporter: SpanExporter, log: Logger): SpanExporter {
  let complainedAt = Number.NEGATIVE_INFINITY;
  let lost = 0;
  const complain = (spans: ReadableSpan[], error: Error | undefined) => {
    lost += spans.length;
    if (elapsedMs() - complainedAt < tracerLimits.complainEveryMs) return;
    complainedAt = elapsedMs();
    log.warn({ error: error?.name, spans: lost }, 'traces were not received');
    lost = 0;
  };
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code !== 0) complain(spans, result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

type StartSpan = (
  name: string,
  options: { kind: SpanKind; links: { context: SpanContext }[]; attributes: NonNullable<SpanStart['attributes']> },
  context: Context,
) => Span;

function createSpans(api: Packages['api'], startSpan: StartSpan) {
  const kinds = { server: api.SpanKind.SERVER, consumer: api.SpanKind.CONSUMER, internal: api.SpanKind.INTERNAL };
  const start = (name: string, { kind = 'internal', parent, links = [], attributes = {} }: SpanStart = {}) => {
    const cause = parentContext(parent);
    const options = {
      kind: kinds[kind],
      attributes,
      links: links.flatMap((each) => parentContext(each) ?? []).map((context) => ({ context })),
    };
    return wrap(startSpan(name, options, cause ? api.trace.setSpanContext(api.ROOT_CONTEXT, cause) : api.ROOT_CONTEXT));
  };
  const wrap = (span: Span): StartedSpan => {
    const { traceId, spanId, traceFlags } = span.spanContext();
    const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
    return {
      traceparent,
      isSampled: span.isRecording(),
      child: (name, options) => start(name, { ...options, parent: traceparent }),
      describe(attributes, name) {
        span.setAttributes(attributes);
        if (name !== undefined) span.updateName(name);
      },
      link(other) {
        const context = parentContext(other);
        if (context) span.addLink({ context });
      },
      end(failure) {
        if (failure !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR, message: failure });
        span.end();
      },
    };
  };
  return { start };
}

function parentContext(traceparent: string | undefined): SpanContext | undefined {
  const valid = validTraceparent(traceparent);
  if (valid === undefined) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = valid.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}
