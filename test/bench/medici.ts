import { Book } from 'medici';
import mongoose from 'mongoose';
import type { BenchWorld } from './benchWorld';
import { type Rate, rateOf, type Seconds } from './rate';

/** Bare entries of medici, a double-entry ledger on MongoDB: no HTTP, no rules, no members. */
export interface Medici {
  /** Measures how many entries a second it commits with this number at once. */
  measure(atOnce: number, seconds: Seconds): Promise<Rate>;
  close(): Promise<void>;
}

/** Opens medici on the same server, in a database of its own. */
export async function openMedici({ services, members }: BenchWorld): Promise<Medici> {
  await mongoose.connect(services.config.MONGODB_URI ?? '', { dbName: 'medici', maxPoolSize: 300 });
  const book = new Book('points');
  let sequence = 0;
  const enter = async () => {
    sequence += 1;
    const member = members[sequence % members.length]?.loyaltyID ?? '';
    const points = 1 + (sequence % 500);
    await book.entry('purchase').credit(`Members:${member}`, points).debit('Program:Points', points).commit();
  };
  return {
    async measure(atOnce, seconds) {
      let done = 0;
      let isEnded = false;
      const lanes = Array.from({ length: atOnce }, async () => {
        while (!isEnded) {
          await enter();
          done += 1;
        }
      });
      const rate = await rateOf(() => done, seconds);
      isEnded = true;
      await Promise.all(lanes);
      return rate;
    },
    close: () => mongoose.disconnect(),
  };
}
