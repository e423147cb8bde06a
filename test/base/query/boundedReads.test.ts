import { setTimeout as delay } from 'node:timers/promises';
import { ObjectId } from 'bson';
import { mongo } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { bounded } from '#base/query/read/read';

/** Runs a read of unknown weight that takes the database this long, and returns the result. */
async function measured(userId: ObjectId, takesMs: number): Promise<number> {
  try {
    return await bounded({ userId }, 'unknown', async (maxTimeMS) => {
      await delay(Math.min(takesMs, maxTimeMS));
      // MongoDB's error for a read that exceeds its time.
      if (takesMs > maxTimeMS) throw new mongo.MongoServerError({ code: 50, message: 'operation exceeded time limit' });
      return takesMs;
    });
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

const times = <T>(count: number, begin: () => Promise<T>) => Promise.all(Array.from({ length: count }, begin));

describe('a read that does not look heavy', () => {
  it('is answered without a place when it is quick, however many there are', async () => {
    const user = new ObjectId();
    expect(new Set(await times(64, () => measured(user, 20)))).toEqual(new Set([20]));
  });

  it('takes one of four places when it turns out to be heavy, and is refused when there is none', async () => {
    const [user, other] = [new ObjectId(), new ObjectId()];
    const [answers, others] = await Promise.all([times(8, () => measured(user, 400)), measured(other, 400)]);
    expect(answers.sort()).toEqual([1260, 1260, 1260, 1260, 400, 400, 400, 400]);
    expect(others).toBe(400);
    expect(await measured(user, 400)).toBe(400);
  });

  it('ends after the time limit of every read', async () => {
    expect(await measured(new ObjectId(), 2000)).toBe(1210);
  });
});
