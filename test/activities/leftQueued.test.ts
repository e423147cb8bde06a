import { mongo } from 'mongoose';
import { isLeftQueued } from '#activities/pipeline/processBatch';
import { invalidField, notFound, unavailable } from '#base/common/errors';
import { CommitUnknown, GuardFailed } from '#base/db/transaction';

/** Error codes of a store that steps down, shuts down, or loses its network or its majority. */
const passingCodes = [6, 7, 64, 89, 91, 100, 112, 175, 189, 237, 244, 251, 262, 290, 9001];
const notPrimaryCodes = [10107, 11600, 11601, 11602, 13435, 13436];

test.each([...passingCodes, ...notPrimaryCodes])(
  'a store that fails with code %i leaves an activity queued',
  (code) => {
    expect(isLeftQueued(new mongo.MongoServerError({ message: 'of the store', code }))).toBe(true);
  },
);

test.each([
  ['a lost connection', new mongo.MongoNetworkError('connection 1 closed')],
  ['no primary', new mongo.MongoServerSelectionError('timed out', {} as mongo.TopologyDescription)],
  // The driver does not export the class.
  ['a pool without a free connection', Object.assign(new Error('timed out'), { name: 'MongoWaitQueueTimeoutError' })],
  ['an unknown commit', new CommitUnknown('commit')],
  ['a member that changed meanwhile', new GuardFailed()],
  ['too many that wait', unavailable({ message: 'Too many activities are waiting' })],
])('%s leaves an activity queued', (_name, error) => {
  expect(isLeftQueued(error)).toBe(true);
});

const duplicate = new mongo.MongoServerError({ message: 'duplicate key', code: 11000 });

test.each([
  ['a query that takes too long', new mongo.MongoServerError({ message: 'exceeded time limit', code: 50 })],
  ['a fault of ours', new TypeError('x is undefined')],
  ['a refused field', invalidField('value', 'minimum', { message: 'must be at least 1' })],
  ['an unknown member', notFound('Member')],
  [
    'a duplicate key in every retry',
    Object.assign(unavailable({ message: 'Too many concurrent changes' }), { cause: duplicate }),
  ],
])('%s counts as an attempt', (_name, error) => {
  expect(isLeftQueued(error)).toBe(false);
});
