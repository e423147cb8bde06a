/** Collects the items of a source into lists of this size; the last list may be shorter. */
export async function* inChunks<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<T[], void, undefined> {
  let chunk: T[] = [];
  for await (const item of source) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
