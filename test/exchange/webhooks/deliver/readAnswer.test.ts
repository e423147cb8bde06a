import http from 'node:http';
import { failure } from '#base/common/failure';
import { message } from '#base/common/messages/message';
import { readAnswer } from '#exchange/webhooks/deliver/readAnswer';
import { answering, openReceiver, type Receiver, type Respond } from '../../../support/receiver';

/** How much is read of what a receiver answers (docs/design/webhooks.md). */
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

const readFrom = async (respond: Respond, maxMs: number) => {
  receiver.respond(respond);
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.request(receiver.url, { method: 'POST', agent: false }, resolve).on('error', reject).end('{}');
  });
  return readAnswer(answer, maxMs);
};

test('an answer that ends is read without a failure', async () => {
  expect(await readFrom(answering(200, 'fine'), 10_000)).toEqual({ answer: 'fine' });
});

test('an answer that does not end within the limit of time is kept as far as it came, with the reason', async () => {
  const begun: Respond = (_message, response) => void response.writeHead(200).write('begun');
  expect(await readFrom(begun, 500)).toEqual({ answer: 'begun', ...failure(message('webhooks.answerNotEnded')) });
});
