import { startYielding } from '#base/common/yielding';

/** Bytes of a file that are read at once: even as rows of a byte each they take a few milliseconds. */
const pieceBytes = 4096;

/** Divides the parts of a file into pieces, and lets other work have its turn between them. */
export async function* filePieces(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const turn = startYielding();
  for await (const part of parts) {
    for (let start = 0; start < part.length; start += pieceBytes) {
      yield part.subarray(start, start + pieceBytes);
      const others = turn();
      if (others) await others;
    }
  }
}
