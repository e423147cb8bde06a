import { Readable } from 'node:stream';

/**
 * Makes a stream of texts. The first one is made before this resolves, so that what fails at once can be answered with
 * an error. When the stream is destroyed, the generator ends.
 */
export async function streamOf(texts: AsyncGenerator<string, void, undefined>): Promise<Readable> {
  const first = await texts.next();
  async function* all() {
    try {
      if (!first.done) yield first.value;
      yield* texts;
    } finally {
      await texts.return();
    }
  }
  return Readable.from(all(), { objectMode: false, highWaterMark: 65_536 });
}
