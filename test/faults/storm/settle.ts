import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../support/client';
import { untilAnswered } from '../../support/untilAnswered';
import { activityOf } from './load';
import type { Effect, Operation } from './operations';

/** How long an accepted activity may wait after the last fault, in milliseconds. */
const queuedMaxMs = 60_000;

/**
 * Does what a careful client does after a storm: it repeats what has a key and got no answer, and each cancel that got
 * none, and waits for what was accepted.
 * @returns a sentence for each answer that contradicts an earlier one, and each activity that waits for over a minute
 */
export async function settle(client: Client, operations: readonly Operation[]): Promise<string[]> {
  const faults: string[] = [];
  for (const operation of operations) {
    const { mark, key, outcome, activityId } = operation;
    if (key !== undefined && outcome !== 'accepted') {
      const { body } = await untilAnswered(() => client.post('/activity', activityOf(operation)));
      const isApplied = body.result.errors.length === 0;
      const id: string = body.result.data.activityId;
      if (outcome === 'unknown') operation.outcome = isApplied ? 'applied' : 'refused';
      else if ((outcome === 'applied') !== isApplied || activityId !== id) {
        faults.push(`${mark} was ${outcome} as ${activityId}, and its repetition was answered with ${id}`);
      }
      operation.activityId = id;
    }
    if (operation.cancel === 'unknown') {
      await untilAnswered(() => client.post(`/activity/${activityId}/cancel`));
      operation.cancel = 'done';
    }
  }
  return [...faults, ...(await waitForAccepted(client, operations))];
}

async function waitForAccepted(client: Client, operations: readonly Operation[]): Promise<string[]> {
  const giveUpAt = Date.now() + queuedMaxMs;
  const faults: string[] = [];
  for (const { mark, key, outcome } of operations) {
    if (outcome !== 'accepted') continue;
    const isQueued = async () => (await client.get(`/activity/status/${key}`)).body.status === 'Queued';
    while ((await isQueued()) && Date.now() < giveUpAt) await sleep(50);
    if (await isQueued()) faults.push(`${mark} was accepted and waits`);
  }
  return faults;
}

interface ExportedHistory {
  _id: string;
  type: string;
  status: string;
  ext?: { mark?: string };
}

/** Reads the whole history, and returns the effect of each mark. */
export async function readEffects(admin: Client): Promise<Map<string, Effect>> {
  const { body } = await admin.get('/exports?kind=activityhistories&format=ndjson');
  const lines = String(body).trim().split('\n');
  const histories: ExportedHistory[] = lines.filter(Boolean).map((line) => JSON.parse(line));
  const effects = new Map<string, Effect>();
  for (const { _id, status, type, ext } of histories) {
    // A cancellation has the fields of what it cancels.
    if (ext?.mark === undefined || type === 'Cancellation') continue;
    const { activities, ids } = effects.get(ext.mark) ?? { activities: 0, ids: [] };
    const isCancelled = status === 'Cancelled';
    const isApplied = isCancelled || status === 'Processed';
    effects.set(ext.mark, {
      activities: activities + 1,
      ids: isApplied ? [...ids, _id] : ids,
      isApplied,
      isCancelled,
    });
  }
  return effects;
}
