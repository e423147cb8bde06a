import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as OTLP sends it, with its attributes as an object. */
export interface ReceivedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  isFailed: boolean;
}

interface Sent {
  resourceSpans: {
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes' | 'isFailed' | 'links'> & {
        attributes: { key: string; value: Record<string, unknown> }[];
        links?: ReceivedSpan['links'];
        status?: { code: number };
      })[];
    }[];
  }[];
}

/** A receiver of OTLP over HTTP, as the collector of OpenTelemetry is one. */
export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Resolves with the received spans once `isThere` is true for them. */
  until(isThere: (spans: readonly ReceivedSpan[]) => boolean): Promise<readonly ReceivedSpan[]>;
  close(): Promise<void>;
}

/** Starts a receiver on a free port. With `isSilent` it accepts connections and never answers. */
export async function openTraceReceiver({ isSilent = false } = {}): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    if (isSilent) return;
    const { resourceSpans } = (await json(request)) as Sent;
    for (const span of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans))) {
      const attributes = span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]);
      const { links = [], status } = span;
      spans.push({ ...span, links, attributes: Object.fromEntries(attributes), isFailed: status?.code === 2 });
    }
    response.setHeader('Content-Type', 'application/json').end('{}');
  };
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async until(isThere) {
      while (!isThere(spans)) await new Promise((resolve) => setTimeout(resolve, 10));
      return spans;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
