import type { ObjectId } from 'bson';

/** A record of two sources with the same id; undefined where a source has none. */
interface Paired<A, B> {
  id: ObjectId;
  first: A | undefined;
  second: B | undefined;
}

/** Pairs the records of two sources, both in order of their ids, without holding more than one of each. */
export async function* mergedById<A extends { _id: ObjectId }, B extends { _id: ObjectId }>(
  firsts: AsyncGenerator<A>,
  seconds: AsyncGenerator<B>,
): AsyncGenerator<Paired<A, B>, void, undefined> {
  try {
    let [first, second] = [await next(firsts), await next(seconds)];
    while (first || second) {
      const order = first && second ? Buffer.compare(first._id.id, second._id.id) : first ? -1 : 1;
      const [own, other]: [A | undefined, B | undefined] = [
        order <= 0 ? first : undefined,
        order >= 0 ? second : undefined,
      ];
      const id = own?._id ?? other?._id;
      if (id) yield { id, first: own, second: other };
      if (own) first = await next(firsts);
      if (other) second = await next(seconds);
    }
  } finally {
    await firsts.return(undefined);
    await seconds.return(undefined);
  }
}

async function next<T>(source: AsyncGenerator<T>): Promise<T | undefined> {
  const { done, value } = await source.next();
  return done ? undefined : value;
}
