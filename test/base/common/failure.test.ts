import { ServiceError } from '#base/common/errors';
import { errorMessage, failure, failureMaxLength } from '#base/common/failure';
import { type Message, message } from '#base/common/messages/message';

/** What records say of work that failed, in English and for translations (docs/design/errors.md). */

const driverError = Object.assign(new Error('connect to mongodb://db.internal:27017'), {
  name: 'MongoServerError',
  code: 11_000,
});

test.each<[string, unknown, Message]>([
  [
    'a refusal is shown with its own message',
    new ServiceError('unavailable', message('imports.tooManyImports', { max: 20 })),
    message('imports.tooManyImports', { max: 20 }),
  ],
  [
    'an error of a driver is shown by its class and code, never by its message',
    driverError,
    message('words.errorName', { error: 'MongoServerError 11000' }),
  ],
  [
    'an error without a code is shown by its class',
    new TypeError('x is not a function'),
    message('words.errorName', { error: 'TypeError' }),
  ],
  ['what is no error is unknown', 'a text', message('words.unknownError')],
])('%s', (_title, error, expected) => {
  expect(errorMessage(error)).toEqual(expected);
});

test('a failure has the English text of its fault, cut to its limit, and the whole fault', () => {
  const fault = message('imports.failedAtRow', { error: errorMessage(driverError), row: 7 });
  expect(failure(fault)).toEqual({
    error: 'MongoServerError 11000 at row 7 or later',
    fault: {
      message: 'MongoServerError 11000 at row 7 or later',
      messageId: 'imports.failedAtRow',
      params: { error: message('words.errorName', { error: 'MongoServerError 11000' }), row: 7 },
    },
  });
  const long = message('imports.fieldFault', { path: 'x'.repeat(failureMaxLength), fault: 'is required' });
  expect(failure(long)).toEqual({ error: 'x'.repeat(failureMaxLength), fault: long });
});
