import { Readable } from 'node:stream';

/**
 * Makes a stream of strings. It waits for the first one, so that an immediate failure can be answered with an error.
 * When the stream is destroyed, the generator ends, also when nothing was read from the stream.
 */
export async function stringStream(texts: AsyncGenerator<string, void, undefined>): Promise<Readable> {
  const first = await texts.next();
  async function* all() {
    if (!first.done) yield first.value;
    yield* texts;
  }
  const stream = Readable.from(all(), { objectMode: false, highWaterMark: 65_536 });
  // A generator that was never begun has no `finally` that runs: its reader may be gone before it reads.
  stream.once('close', () => void texts.return().catch(() => undefined));
  return stream;
}
