import { MongooseError, mongo } from 'mongoose';
import { type ErrorName, errorCodes, ServiceError } from '#base/common/errors';
import { toServiceError } from '#base/db/toServiceError';
import { GuardFailed } from '#base/db/transaction';
import { defineRoute } from '#platform/http/route';
import { createApp } from '#server/app';
import { serve } from '#server/serve';
import { client } from '../../support/client';
import { openTestServices, type TestServices } from '../../support/services';

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

function labelled(label: string): mongo.MongoError {
  const error = new mongo.MongoError('x');
  error.addErrorLabel(label);
  return error;
}

/** Wraps the cause of a failed bulk write as the driver does. */
function bulkError(cause: Error): mongo.MongoBulkWriteError {
  return new mongo.MongoBulkWriteError(cause as never, {} as never);
}

test.each([
  ['no primary in time', new mongo.MongoServerSelectionError('x', {} as never)],
  ['a broken connection', new mongo.MongoNetworkError('x')],
  ['a stepped-down primary', new mongo.MongoServerError({ code: 189 })],
  ['not a primary', new mongo.MongoServerError({ code: 10107 })],
  ['an unknown commit', labelled('UnknownTransactionCommitResult')],
  ['a write conflict', labelled('TransientTransactionError')],
  ['a guard that did not hold', new GuardFailed()],
  ['no majority in time', new mongo.MongoServerError({ code: 64 })],
  ['no answer in time', new mongo.MongoServerError({ code: 50 })],
  ['a bulk write whose connection broke', bulkError(new mongo.MongoServerSelectionError('x', {} as never))],
])('%s is 503 and says when to retry', (_name, error) => {
  const { status, code, details } = toServiceError(error);
  expect({ status, code, headers: details.headers }).toEqual({
    status: 503,
    code: 1310,
    headers: { 'Retry-After': '1' },
  });
});

test('another database error is 500 with its name and code, not its message', () => {
  const error = new mongo.MongoServerError({ code: 2, codeName: 'BadValue', errmsg: 'secret: {password: 1}' });
  const { status, code, message, details } = toServiceError(error);
  expect({ status, code, message }).toEqual({ status: 500, code: 1300, message: 'Database Error: BadValue' });
  expect(details.error).toEqual({ name: 'MongoServerError', code: 2 });
});

test('an error of Mongoose is a database error', () => {
  expect(toServiceError(new MongooseError('secret')).message).toBe('Database Error: MongooseError');
});

test('a fault of the service is 500 without details', () => {
  const { status, message } = toServiceError(new TypeError('cannot read secret of undefined'));
  expect({ status, message }).toEqual({ status: 500, message: 'Database Error: unexpected condition' });
});

test('over HTTP every code is in body and status, without a stack', async () => {
  const names = Object.keys(errorCodes) as ErrorName[];
  const routes = names.map((reason) =>
    defineRoute({
      method: 'GET',
      path: `/fail/${reason}`,
      permission: 'open',
      summary: 'Fails',
      responses: {},
      errors: [errorCodes[reason].status],
      handle: async () => {
        throw new ServiceError(reason, { message: 'as told' }, { headers: { 'Retry-After': '7' } });
      },
    }),
  );
  const broken = defineRoute({
    method: 'GET',
    path: '/fail',
    permission: 'open',
    summary: 'Fails',
    responses: {},
    errors: [500],
    handle: async () => {
      throw new TypeError('secret');
    },
  });
  const serving = await serve(services, createApp(services, [...routes, broken]));
  for (const reason of names) {
    const { status, body, headers } = await client(serving.url).get(`/fail/${reason}`);
    const { code, status: expected } = errorCodes[reason];
    expect({ status, ...body }).toEqual({ code, message: 'as told', status: expected, requestId: expect.any(String) });
    expect(headers.get('retry-after')).toBe('7');
  }
  const { status, body } = await client(serving.url).get('/fail');
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toMatch(/secret|at .*\.ts/);
  await serving.close();
});
