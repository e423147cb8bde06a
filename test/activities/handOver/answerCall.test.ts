import { ObjectId } from 'bson';
import { mongo } from 'mongoose';
import { pino } from 'pino';
import { rankedFor } from '#activities/handOver/owners';
import { answerCall, createOwnerLinks } from '#activities/handOver/sharedPipeline';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { notFound } from '#base/common/errors';
import type { PeerLink } from '#base/peers/peerLink';

const requestOf = (org: ObjectId) =>
  ({ author: { org }, activity: { memberID: new ObjectId() } }) as unknown as PipelineRequest;

test('a request goes to the present owner of its org, also after processes came or went', () => {
  const groups = [['a', 'b', 'c'], ['a', 'c'], ['a', 'b', 'c', 'd'], ['a']];
  for (const org of Array.from({ length: 30 }, () => new ObjectId())) {
    let epoch = 0;
    const ownerLink = createOwnerLinks({
      id: 'a',
      get epoch() {
        return epoch;
      },
      seen: () => ({ id: 'a', members: groups[epoch] ?? [], states: new Map() }),
      link: (id) => ({ id }) as unknown as PeerLink,
    });
    for (const members of groups) {
      const [owner] = rankedFor(org.toHexString(), members);
      const expected = owner === 'a' ? undefined : { id: owner };
      expect([ownerLink(requestOf(org)), ownerLink(requestOf(org))]).toEqual([expected, expected]);
      epoch += 1;
    }
  }
});

test.each([
  ['a fault of the service', new TypeError('x is undefined'), ['activity failed']],
  ['an error of the database', new mongo.MongoServerError({ message: 'bad value', code: 2 }), ['activity failed']],
  ['a lost connection', new mongo.MongoNetworkError('connection 1 closed'), []],
  ['a refusal', notFound('Member'), []],
])('the owner answers with the error, and logs it unless it is to be expected: %s', async (_what, error, messages) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line).msg) });
  const own = { submit: () => Promise.reject(error) };
  expect(await answerCall(own, { log }, requestOf(new ObjectId()))).toMatchObject({ error: expect.anything() });
  expect(lines).toEqual(messages);
});
