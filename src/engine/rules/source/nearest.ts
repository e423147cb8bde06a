import { type Message, message } from '#base/common/messages/message';

/** Maximum edit distance of a misspelling. A third of the length is a second maximum. */
const distanceMax = 3;

/** Adds the most similar known name to a message, if a known name is similar. */
export function didYouMean(fault: Message, wrong: string, known: Iterable<string>): Message {
  const name = nearest(wrong, known);
  return name === undefined ? fault : message('words.didYouMean', { fault, name });
}

/** The known name with the smallest edit distance, if it is small enough for a misspelling. */
export function nearest(wrong: string, known: Iterable<string>): string | undefined {
  const limit = Math.min(distanceMax, Math.max(1, Math.floor(wrong.length / 3)));
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    if (Math.abs(name.length - wrong.length) > limit) continue;
    const distance = editDistance(wrong.toLowerCase(), name.toLowerCase());
    if (distance <= limit && (!best || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** The number of insertions, deletions, replacements and swaps of neighbours that turn one string into the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      const added = Math.min(last[column] ?? 0, current[column - 1] ?? 0) + 1;
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(replaced, added, swapped));
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
