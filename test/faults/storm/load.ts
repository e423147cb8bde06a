import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Response } from '../../support/client';
import { stopwatch } from '../../support/givenTime';
import { numbers } from '../../support/numbers';
import { dayEdges } from './dates';
import type { Operation } from './operations';
import { tornPurses } from './torn';

const kinds = ['accrual', 'accrual', 'accrual', 'campaign', 'campaign', 'redemption', 'redemption', 'coupon'] as const;

/** The offer that purchases of the kind `coupon` use. */
export const stormCoupon = 'STORM';

/** What the clients of a storm need. */
export interface LoadInput {
  seed: number;
  /** Begins the marks of its operations; default: nothing. */
  round?: string;
  clients: number;
  members: readonly string[];
  /** The API processes that answer now. */
  apis(): readonly Client[];
}

/** The clients of a storm while they run, and what their answers say. */
export interface Load {
  operations: Operation[];
  slowestMs: number;
  /** Statuses that no client expects, with what was asked, and answers that are not whole in themselves. */
  strange: string[];
  answered: number;
  /** Requests that got 503, or no answer. */
  unanswered: number;
  end(): Promise<void>;
}

/** Starts clients that post, redeem and cancel, each one request after the other, until `end` is called. */
export function startLoad({ seed, round = '', clients, members, apis }: LoadInput): Load {
  const load: Load = { operations: [], slowestMs: 0, strange: [], answered: 0, unanswered: 0, end };
  const edges = dayEdges(numbers(seed));
  let isEnding = false;
  const loops = Array.from({ length: clients }, (_unused, n) => runClient(n));
  return load;

  async function end() {
    isEnding = true;
    await Promise.all(loops);
  }

  async function runClient(n: number) {
    const random = numbers(seed * 1000 + n);
    const own: Operation[] = [];
    for (let count = 0; !isEnding; count += 1) {
      const cancelled = own.at(-1);
      if (random(8) === 0 && cancelled && isCancellable(cancelled)) await cancel(cancelled, random);
      else if (random(20) === 0) await postMany(`${round}${n}.${count}`, random);
      else own.push(await post(`${round}${n}.${count}`, random));
      await sleep(random(10));
    }
  }

  /** Undefined: no answer. */
  async function ask(random: (n: number) => number, what: (api: Client) => Promise<Response>) {
    const all = apis();
    const api = all[random(all.length)];
    if (!api) {
      await sleep(50);
      return undefined;
    }
    const takenMs = stopwatch();
    const answer = await what(api).catch(() => undefined);
    if (answer) {
      load.answered += 1;
      load.slowestMs = Math.max(load.slowestMs, takenMs());
    }
    if (answer && answer.status !== 503) return answer;
    load.unanswered += 1;
    return undefined;
  }

  async function post(mark: string, random: (n: number) => number): Promise<Operation> {
    const operation = drawOperation(mark, random);
    const { key } = operation;
    const isAsync = key !== undefined && random(3) === 0;
    const path = isAsync ? '/activity?async=true' : '/activity';
    const answer = await ask(random, (api) => api.post(path, activityOf(operation)));
    if (answer) note(operation, answer);
    return operation;
  }

  function drawOperation(mark: string, random: (n: number) => number, isKeyed = random(3) !== 0): Operation {
    const kind = kinds[random(kinds.length)] ?? 'accrual';
    const member = members[random(members.length)] ?? '';
    const key = isKeyed ? `storm-${mark}` : undefined;
    const past = edges[random(2 * edges.length)];
    const date = kind === 'redemption' || past === undefined ? Date.now() : past;
    const operation: Operation = { mark, kind, member, date, value: 1 + random(9), key, outcome: 'unknown' };
    load.operations.push(operation);
    return operation;
  }

  async function postMany(mark: string, random: (n: number) => number) {
    const drawn = Array.from({ length: 2 + random(8) }, (_unused, n) => drawOperation(`${mark}.${n}`, random, true));
    const answer = await ask(random, (api) => api.post('/activities/bulk?async=true', drawn.map(activityOf)));
    if (answer && answer.status !== 202) load.strange.push(`bulk ${mark}: ${answer.status}`);
    for (const [n, operation] of drawn.entries()) {
      const error = answer?.body[n].error;
      if (error) load.strange.push(`bulk ${mark}: ${JSON.stringify(error)}`);
      else if (answer) operation.outcome = 'accepted';
    }
  }

  function note(operation: Operation, { status, body }: Response) {
    if (status === 202) operation.outcome = 'accepted';
    else if (status === 200) {
      operation.activityId = body.result.data.activityId;
      operation.outcome = body.result.errors.length === 0 ? 'applied' : 'refused';
      load.strange.push(...tornPurses(body.member?.purses ?? []));
    } else load.strange.push(`${operation.kind} ${operation.mark}: ${status} ${JSON.stringify(body)}`);
  }

  async function cancel(operation: Operation, random: (n: number) => number) {
    operation.cancel = 'unknown';
    const answer = await ask(random, (api) => api.post(`/activity/${operation.activityId}/cancel`));
    if (answer?.status === 200) operation.cancel = 'done';
    else if (answer && answer.status !== 409) {
      load.strange.push(`cancel of ${operation.mark}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }
}

/** The activity that an operation posts; the same each time, so that a repetition with its key is the same request. */
export function activityOf({ kind, member, date, value, key, mark }: Operation) {
  const type = kind === 'redemption' ? 'Redemption' : 'Accrual';
  const ext = { mark, isCampaign: kind === 'campaign' };
  return {
    type,
    memberID: member,
    date: new Date(date).toISOString(),
    value,
    ext,
    ...(kind === 'coupon' ? { couponCode: stormCoupon } : {}),
    ...(key === undefined ? {} : { externalTxnId: key }),
  };
}

/** Redemptions are always given back; points that were spent since would make a debt of an accrual. */
function isCancellable({ kind, outcome, cancel }: Operation): boolean {
  return kind === 'redemption' && outcome === 'applied' && cancel === undefined;
}
