import { Type } from '@sinclair/typebox';
import type { Queues } from '#base/queues/queues';
import { record } from '#base/schema/atoms';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes, readingRoutes } from '#platform/http/collection/collectionRoutes';
import { readPathId } from '#platform/http/collection/readPathId';
import { type Answer, defineRoute, ok, type Request, type RequestWith, type Route } from '#platform/http/route';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { storedRecord, visible } from '#platform/recordWrites/storedRecord';
import { webhookResource } from '#records/webhooks/webhook';
import { webhookDeliveryResource } from '#records/webhooks/webhookDelivery';
import { webhookReplayResource } from '#records/webhooks/webhookReplay';
import { replayBody, replayEvents } from './replayEvents';
import { retryDelivery, storedDelivery } from './retryDelivery';
import { rotateBody, rotated, rotateSecret } from './rotateSecret';
import { deriveSecret } from './secret';
import { createWebhook, prepareWebhook, resumed } from './storeWebhook';
import { testWebhook } from './testWebhook';

const writes = defineWrites(webhookResource, {
  create: createWebhook,
  prepare: prepareWebhook,
  companionOnUpdate: resumed,
});

const webhooks = collectionRoutes(writes, { operations: allOperations }).map((route) =>
  route.method === 'POST' ? withSecret(route) : route,
);

/** The creation: its answer has the secret, and no other does. So it is not kept for a repetition. */
function withSecret(create: Route): Route {
  const secret = Type.String({ description: 'Secret of the signatures, whsec_…; shown only here' });
  return {
    ...create,
    description: 'The webhook begins at the present end of the events. The answer shows its secret; no other does.',
    responses: { 201: record({ ...webhookResource.answer.properties, secret }) },
    key: 'refused',
    async handle(request) {
      const { body, ...answer } = await create.handle(request);
      const made = Object(body);
      return { ...answer, body: { ...made, secret: deriveSecret(request.services, made._id, 0) } };
    },
  };
}

/** Wakes a worker after the answer was made. */
function woken(handle: Route['handle']) {
  return async (request: RequestWith<{ queues: Pick<Queues, 'wakeWebhooks'> }>): Promise<Answer> => {
    const answer = await handle(request);
    request.services.queues.wakeWebhooks();
    return answer;
  };
}

const reads = { operations: ['list', 'count', 'read'] } as const;
const deliveries = readingRoutes(webhookDeliveryResource, reads);
const [listDeliveries] = deliveries;

/** The list of the deliveries of one webhook is the list of all deliveries with an argument. */
const ofWebhook = (list: Route | undefined): Route[] => {
  if (!list) return [];
  return [
    {
      ...list,
      path: '/webhooks/:id/deliveries',
      summary: 'List the deliveries of a webhook',
      description: `Each with what its receiver answered. ${list.description}`,
      async handle(request: Request) {
        const { _id } = await storedRecord(webhookResource, request, readPathId(request));
        return list.handle({ ...request, query: { ...request.query, webhook: _id.toHexString() } });
      },
    },
  ];
};

const readDelivery = defineRoute({
  method: 'GET',
  path: '/webhooks/:id/deliveries/:deliveryId',
  permission: 'webhooks:read',
  summary: 'Read one delivery of a webhook',
  responses: { 200: webhookDeliveryResource.answer },
  handle: async (request) => ok(visible(webhookDeliveryResource, await storedDelivery(request))),
});

const retry = defineRoute({
  method: 'POST',
  path: '/webhooks/:id/deliveries/:deliveryId/retry',
  permission: 'webhooks:update',
  summary: 'Try a delivery now',
  description: 'A dead delivery begins anew, for three days. A worker makes the attempt.',
  key: 'withEffect',
  responses: { 202: webhookDeliveryResource.answer },
  answerHeaders: { 202: ['Location'] },
  errors: [422],
  handle: woken(retryDelivery),
});

const test = defineRoute({
  method: 'POST',
  path: '/webhooks/:id/test',
  permission: 'webhooks:update',
  summary: 'Post a test event to a webhook',
  description: 'A worker posts an event of the type webhook.test, once, also while the webhook is paused.',
  key: 'withEffect',
  responses: { 202: webhookDeliveryResource.answer },
  answerHeaders: { 202: ['Location'] },
  errors: [429],
  handle: woken(testWebhook),
});

const replay = defineRoute({
  method: 'POST',
  path: '/webhooks/:id/replay',
  permission: 'webhooks:update',
  summary: 'Deliver events of the past again',
  description: 'Those of a time, or those with some ids. Workers do it; read the answer at its Location to follow it.',
  body: replayBody,
  key: 'withEffect',
  responses: { 202: webhookReplayResource.answer },
  answerHeaders: { 202: ['Location'] },
  errors: [429],
  handle: woken(replayEvents),
});

const rotate = defineRoute({
  method: 'POST',
  path: '/webhooks/:id/rotate',
  permission: 'webhooks:update',
  summary: 'Give a webhook a new secret',
  description: 'For a time, messages are signed with the earlier secret too.',
  body: rotateBody,
  isBodyOptional: true,
  key: 'refused',
  responses: { 200: rotated },
  handle: rotateSecret,
});

/** Routes of webhooks, their deliveries and their replays. */
export const webhookRoutes: Route[] = [
  ...webhooks,
  ...ofWebhook(listDeliveries),
  readDelivery,
  retry,
  test,
  replay,
  rotate,
  ...deliveries,
  ...readingRoutes(webhookReplayResource, reads),
];
