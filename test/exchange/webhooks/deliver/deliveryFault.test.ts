import { type Message, message } from '#base/common/messages/message';
import { deliveryFault } from '#exchange/webhooks/deliver/deliveryFault';
import { RefusedAddress } from '#exchange/webhooks/guard/resolveHost';

/** What the log of deliveries says of errors of connections (docs/design/webhooks.md). */

const coded = (code: string) => Object.assign(new Error('connect 10.1.2.3:443'), { code });

test.each<[string, unknown, Message]>([
  ['an address that is not public', new RefusedAddress(), message('webhooks.receiverNotPublic')],
  ['a refused connection', coded('ECONNREFUSED'), message('webhooks.connectionRefused')],
  ['a closed connection', coded('ECONNRESET'), message('webhooks.connectionClosed')],
  ['a name without an address', coded('ENOTFOUND'), message('webhooks.noAddress')],
  ['a name without records', coded('ENODATA'), message('webhooks.noAddress')],
  ['too large headers', coded('HPE_HEADER_OVERFLOW'), message('webhooks.headersTooLarge')],
  ['another error of the system', coded('EHOSTUNREACH'), message('words.errorName', { error: 'EHOSTUNREACH' })],
  ['an error with a long code', coded('E'.repeat(200)), message('words.errorName', { error: 'E'.repeat(100) })],
  ['an error without a code', new TypeError('10.1.2.3'), message('words.errorName', { error: 'TypeError' })],
  ['what is no error', 'a text', message('words.unknownError')],
])('%s has a message of its own, without addresses', (_title, error, expected) => {
  expect(deliveryFault(error)).toEqual(expected);
});

test.each<[string, AbortSignal, Message]>([
  [
    'the limit of time',
    AbortSignal.abort(new DOMException('late', 'TimeoutError')),
    message('webhooks.noAnswerInTime'),
  ],
  ['the end of the worker', AbortSignal.abort(), message('webhooks.workerEnded')],
])('an attempt that %s ended says so, whatever error the connection had then', (_title, signal, expected) => {
  expect(deliveryFault(coded('ECONNRESET'), signal)).toEqual(expected);
});
