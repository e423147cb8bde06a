import type { Response } from '../../../support/client';
import type { ExampleWorld } from './exampleWorld';
import type { RecordedAnswers } from './recordAnswers';

/** Makes a webhook, and records it, a delivery of a test and a replay. Nothing is sent. */
export async function recordWebhooks({ admin }: ExampleWorld): Promise<RecordedAnswers> {
  const url = 'https://8.8.8.8/loyalty-events';
  const events = ['points.earned', 'tier.changed'];
  const made = ok(await admin.post('/webhooks', { url, events, description: 'Web shop' }));
  const path = `/webhooks/${made._id}`;
  const delivery = ok(await admin.post(`${path}/test`));
  const time = { from: '2026-05-04T00:00:00.000Z', to: '2026-05-05T00:00:00.000Z' };
  const replay = ok(await admin.post(`${path}/replay`, time));
  const rotated = ok(await admin.post(`${path}/rotate`, { overlapSeconds: 86_400 }));
  const records = { Webhook: ok(await admin.get(path)), WebhookDelivery: delivery, WebhookReplay: replay };
  return named({ records, answers: { 'POST /webhooks 201': made, 'POST /webhooks/:id/rotate 200': rotated } });
}

/** The address that the world may use, as a name for examples. */
function named(recorded: RecordedAnswers): RecordedAnswers {
  return JSON.parse(JSON.stringify(recorded).replaceAll('https://8.8.8.8/', 'https://shop.example/'));
}

function ok({ status, body }: Response): Response['body'] {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body;
}
