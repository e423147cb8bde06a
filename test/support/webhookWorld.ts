import { ObjectId } from 'bson';
import type { Message } from '#base/common/messages/message';
import { inTransaction } from '#base/db/transaction';
import { createDeliverer, type Deliverer } from '#exchange/webhooks/deliver/createDeliverer';
import { numberEvents } from '#platform/events/numberEvents';
import { writeEvents } from '#platform/events/writeEvents';
import type { StoredEvent } from '#records/events/event';
import { answering, openReceiver, type Receiver } from './receiver';
import { openTestServer, type TestServer } from './server';
import type { TestServices } from './services';

/** A served org with a receiver and a deliverer that works only when it is told to. */
export interface WebhookWorld {
  server: TestServer & { services: TestServices };
  services: TestServices;
  receiver: Receiver;
  deliverer: Deliverer;
  /** Creates a webhook at the receiver for members that were created. */
  addWebhook(fields?: Record<string, unknown>): Promise<{ _id: string; secret: string }>;
  /** Commits an event for each of these members, in this order, and numbers them. */
  commit(...members: ObjectId[]): Promise<void>;
  /** Delivers what is due, until nothing is left to do now. */
  deliver(): Promise<void>;
  /** Deletes all webhooks, and has the receiver accept everything again. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** The event that a member was created. */
export function created(member: ObjectId): StoredEvent {
  const data = { status: 'Active', enrolledAt: new Date('2026-01-01T00:00:00.000Z') };
  return { type: 'member.created', program: new ObjectId(), member, data };
}

/** What a webhook shows that the service paused. */
export function pausedBy(fault: Message): object {
  return { status: 'Paused', pausedBecause: fault.message, fault };
}

/** Opens a world in which receivers may be on this machine. */
export async function openWebhookWorld(): Promise<WebhookWorld> {
  const server = await openTestServer({ WEBHOOK_PRIVATE: 'on' });
  const { services } = server;
  const receiver = await openReceiver();
  const deliverer = createDeliverer(services);
  return {
    server,
    services,
    receiver,
    deliverer,
    async addWebhook(fields = {}) {
      const body = { url: receiver.url, events: ['member.created'], ...fields };
      const { body: made, status } = await server.as('admin').post('/webhooks', body);
      if (status !== 201) throw new Error(JSON.stringify(made));
      return made;
    },
    async commit(...members) {
      await commitEvents(services, members.map(created));
    },
    async deliver() {
      await deliverer.look();
      await deliverer.idle();
    },
    async reset() {
      await services.db.collection('webhooks').deleteMany({});
      await deliverer.look();
      await deliverer.idle();
      receiver.received.length = 0;
      receiver.respond(answering(204));
      services.clock.set(new Date());
    },
    async close() {
      await deliverer.close();
      await receiver.close();
      await server.close();
    },
  };
}

/** Commits these events in one transaction, and numbers them. */
export async function commitEvents(services: TestServices, events: StoredEvent[]): Promise<void> {
  const author = services.users.admin.principal;
  const now = services.clock.now();
  await inTransaction(services.db, (session) => writeEvents(services.db, session, author, now, events));
  while ((await numberEvents(services, now)) > 0);
}
