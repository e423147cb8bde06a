import assert from 'node:assert';
import { createHmac } from 'node:crypto';
import { addCanonicalJson } from '#base/common/canonicalJson';
import { malformed, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { derivedId } from '#base/db/records';
import { timeouts } from '#base/db/timeouts';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import type { Answer, Request, Route } from '../route';
import { type Claim, claimKey, releaseKey, type StoredAnswer, storeAnswer } from './claimKey';
import { sentKey } from './sentKey';

/** Answers a request with `work`, but only once for each Idempotency-Key. */
type AnswerOnce = (request: Request, work: () => Promise<Answer>) => Promise<Answer>;

/**
 * Makes the function through which every request of a route passes. It honours the header Idempotency-Key as the route
 * says (`Route.key`, docs/design/http.md).
 */
export function createAnswerOnce(route: Route): AnswerOnce {
  const { method, path, key } = route;
  if (method !== 'POST') return (_request, work) => work();
  assert(key !== undefined, `POST ${path} says how it honours the header Idempotency-Key`);
  return async (request, work) => {
    const use = typeof key === 'function' ? key(request) : key;
    if (use === 'byHandler' || use === 'changesNothing') return work();
    const sent = sentKey(request.headers);
    if (sent === undefined) return work();
    if (use === 'refused') throw malformed(message('http.keyWithSecret'));
    const claimed = await claimKey(
      { ...request.services, clock: request.machineClock },
      await claimRequest(route, request, sent),
    );
    if ('answer' in claimed) return replay(claimed.answer);
    const answering = { request, work, claim: claimed.claim };
    return use === 'withEffect' ? answerWithEffect(answering) : answerRepeatable(answering);
  };
}

interface Answering {
  request: Request;
  work: AnswerWork;
  claim: Claim;
}

type AnswerWork = () => Promise<Answer>;

/** The work stores its answer in the transaction of its effect. */
async function answerWithEffect({ request, work, claim }: Answering): Promise<Answer> {
  const { db } = request.services;
  let isKept = false;
  request.keepAnswer = async (answer, session) => {
    await storeAnswer(db, claim, answer, session);
    isKept = true;
  };
  try {
    const answer = await work();
    assert(isKept, 'the transaction of the effect keeps the answer');
    return answer;
  } catch (error) {
    const committed = await releaseKey(db, claim).catch(() => undefined);
    if (committed) return firstAnswer(committed);
    throw error;
  }
}

/**
 * The answer is stored after the work. If the process ends in between, the work runs again; it must not repeat what is
 * done already.
 */
async function answerRepeatable({ request, work, claim }: Answering): Promise<Answer> {
  const { db, log } = request.services;
  try {
    const answer = await work();
    await storeAnswer(db, claim, answer).catch((error: Error) => {
      log.warn({ requestId: request.requestId, error: error.name }, 'the answer of a key could not be stored');
      return releaseKey(db, claim);
    });
    return answer;
  } catch (error) {
    await releaseKey(db, claim).catch(() => undefined);
    throw error;
  }
}

/**
 * How long a claim lasts beyond the longest time of an answer. A claim that is older was left by a process that ended.
 */
const beyondAnswerMs = 5000;

async function claimRequest(
  { path, permission, answerMaxMs = timeouts.requestMs }: Route,
  request: Request,
  key: string,
) {
  const { principal, services } = request;
  // On a route for `any` user, users act on what belongs to them alone, so their keys are their own too.
  const owner = permission === 'any' ? principal.userId : principal.org;
  return {
    author: { org: principal.org, userId: principal.userId },
    id: derivedId('key', owner, path, key),
    route: `POST ${path}`,
    hash: await hashRequest(services, request, key),
    claimMs: answerMaxMs + beyondAnswerMs,
  };
}

/**
 * The hash by which a repeated request is recognized. It covers the arguments and the body as sent, before
 * pre-processing and defaults. A body may have a password, so nobody can test guesses against the hash without two
 * secrets: the service's own, and the key, which is not stored.
 */
async function hashRequest(
  { tokenKey }: Pick<Infrastructure, 'tokenKey'>,
  { params, query, rawBody }: Request,
  key: string,
): Promise<string> {
  const hmac = createHmac('sha256', tokenKey).update(JSON.stringify(key));
  await addCanonicalJson(hmac, { params, query, body: rawBody });
  return hmac.digest('hex');
}

/** @throws ServiceError 1510 when the answer was about a member that was erased meanwhile */
function replay(stored: StoredAnswer): Answer {
  const { status, headers, body } = firstAnswer(stored);
  return { status, body, headers: { ...headers, 'Idempotent-Replayed': 'true' } };
}

function firstAnswer({ status, headers, body }: StoredAnswer): Answer {
  if (body === undefined) throw new ServiceError('gone', message('members.erased'));
  return { status, body, headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' } };
}
