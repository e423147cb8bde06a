import { writeFileSync } from 'node:fs';
import path from 'node:path';
import mongoose from 'mongoose';
import type { BenchWorld, StartedServer } from '../benchWorld';
import { ordinaryModels } from './models';
import { startFile } from './startFile';

/**
 * Starts the ordinary design (service.ts) with the flags of the service's API, on the same MongoDB, with the same
 * members, rules, token and Node.
 * @param rules bench rules, which become rules of json-rules-engine with an event in place of actions
 */
export async function openOrdinary(
  { services, members, folder }: BenchWorld,
  rules: readonly Record<string, unknown>[],
): Promise<StartedServer> {
  const uri = new URL(services.config.MONGODB_URI ?? '');
  uri.pathname = '/ordinary';
  await storeMembers(uri.href, members);
  const rulesFile = path.join(folder, 'ordinary-rules.json');
  writeFileSync(rulesFile, JSON.stringify(rules.map(engineRule)));
  return startFile('service.ts', {
    MONGODB_URI: uri.href,
    JWT_SECRET: services.config.JWT_SECRET ?? '',
    RULES_FILE: rulesFile,
  });
}

async function storeMembers(uri: string, members: BenchWorld['members']): Promise<void> {
  const own = await new mongoose.Mongoose().connect(uri);
  const { Member } = ordinaryModels(own);
  await Member.deleteMany({});
  await Member.insertMany(members.map(({ loyaltyID }) => ({ loyaltyID, balance: 0, spend: 0, visits: 0 })));
  await own.disconnect();
}

/** The rule with an event, whose parameters are those of its first action. */
function engineRule({ name, priority, conditions, actions }: Record<string, unknown>) {
  const [{ points }] = actions as [{ points: number | { times: number } }];
  const params = typeof points === 'number' ? { points } : { times: points.times };
  return { name, priority, conditions, event: { type: 'addPoints', params } };
}
