import { collectionOf } from '#base/db/collections';
import { segmentResource } from '#records/catalog/segment';
import { addWorld, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

/** A rule that awards a point for each day since an occasion, and another one when there is none. */
const sinceRules = (of: unknown) => [
  {
    key: 'days',
    name: 'Days',
    activityTypes: ['Accrual'],
    actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'daysSince', params: { of } }, times: 1 } }],
  },
  {
    key: 'none',
    name: 'None',
    activityTypes: ['Accrual'],
    conditions: { all: [{ fact: 'daysSince', params: { of }, operator: 'isEmpty', value: true }] },
    actions: [{ type: 'log', message: 'none' }],
  },
];

let host: World;
let world: World;
let acting: ActivityApi;
beforeAll(async () => {
  host = await openWorld({ rules: [] });
});
afterAll(() => host.close());

const open = async (rules: Record<string, unknown>[], segments: string[] = []) => {
  world = await addWorld(host, { rules: [] });
  const made = new Map<string, string>();
  for (const name of segments) {
    const { status, body } = await world.server.as('admin').post('/segments', { name, kind: 'static' });
    if (status !== 201) throw new Error(JSON.stringify(body));
    made.set(name, body._id);
  }
  await world.publish(rules);
  acting = activityApi(world);
  return made;
};

/** The days that the rule counted; `none` when there was no such occasion. */
const daysOf = async (body: Record<string, unknown>) => {
  const answer = await acting.post({ type: 'Accrual', value: 1, ...body }, '?explain=true');
  const { ruleMatch, result } = answer.body;
  if (result?.data.status !== 'Processed') throw new Error(JSON.stringify(answer.body));
  const of = (key: string) => ruleMatch.find((match: { key: string }) => match.key === key);
  return { id: result.data.activityId as string, days: of('none').fired ? 'none' : (of('days').granted ?? 0) };
};

const at = (day: string) => `2026-${day}T12:00:00.000Z`;

test('the last visit is the latest Accrual before the date that was not cancelled, merged members included', async () => {
  await open(sinceRules('lastVisit'));
  world.services.clock.set(at('06-30'));
  const [member, other] = [await world.addMember(), await world.addMember()];
  const visit = (day: string, memberID: unknown = member._id) => daysOf({ memberID, date: at(day) });

  expect((await visit('06-01')).days).toBe('none');
  const second = await visit('06-11');
  expect(second.days).toBe(10);
  expect((await visit('06-11')).days).toBe(0);
  // A late post looks back from its own date.
  expect((await visit('06-05')).days).toBe(4);
  expect((await visit('05-01')).days).toBe('none');
  await acting.processed('Redemption', member._id, { value: 0, date: at('06-14') });
  expect((await visit('06-15')).days).toBe(4);

  const last = await visit('06-20');
  expect(last.days).toBe(5);
  await acting.cancel(last.id);
  expect((await visit('06-21')).days).toBe(6);

  expect((await visit('06-24', other._id)).days).toBe('none');
  const merge = await world.server.as('admin').post(`/members/${member._id}/merge`, { memberIds: [other._id] });
  expect(merge.status).toBe(200);
  expect((await visit('06-25')).days).toBe(1);
});

test('activities of one batch see the visits of those before it', async () => {
  await open(sinceRules('lastVisit'));
  world.services.clock.set(at('06-30'));
  const member = await world.addMember();
  const days = ['06-01', '06-03', '06-08', '06-15', '06-20', '06-29'];
  await world.server.as('client').post(
    '/activities/bulk?async=true',
    days.map((day) => ({ type: 'Accrual', memberID: member._id, value: 1, date: at(day) })),
  );
  await acting.drain();

  expect(await acting.balance(member._id)).toBe(2 + 5 + 7 + 5 + 9);
});

test('a segment keeps the date when a member joined it, whoever added the member', async () => {
  const join = {
    key: 'join',
    name: 'Join',
    activityTypes: ['Enrollment'],
    actions: [{ type: 'addSegment', segment: 'VIP' }],
  };
  const leave = {
    key: 'leave',
    name: 'Leave',
    activityTypes: ['Adjustment'],
    actions: [{ type: 'removeSegment', segment: 'VIP' }],
  };
  const ids = await open([...sinceRules({ segment: 'VIP' }), join, leave], ['VIP', 'Other']);
  const [vip, other] = [ids.get('VIP'), ids.get('Other')];
  world.services.clock.set(at('06-10'));
  const client = world.server.as('client');
  const visit = async (memberID: unknown, day: string) => (await daysOf({ memberID, date: at(day) })).days;

  // By a rule: the date of the activity that added it. A second time changes nothing.
  const ruled = await world.addMember();
  expect(await visit(ruled._id, '06-09')).toBe('none');
  await acting.processed('Enrollment', ruled._id, { date: at('06-01') });
  await acting.processed('Enrollment', ruled._id, { date: at('06-05') });
  expect(await visit(ruled._id, '06-09')).toBe(8);
  await acting.processed('Adjustment', ruled._id, { date: at('06-09') });
  expect(await visit(ruled._id, '06-10')).toBe('none');

  // At creation and by an update: now. An update that keeps the segment keeps its date.
  const { body: made } = await client.post('/members', { program: world.program._id, segments: [vip] });
  expect(await visit(made._id, '06-10')).toBe(0);
  world.services.clock.set(at('06-20'));
  expect((await client.put(`/members/${made._id}`, { segments: [other, vip] })).status).toBe(200);
  expect(await visit(made._id, '06-20')).toBe(10);
  await client.put(`/members/${made._id}`, { segments: [other] });
  expect(await visit(made._id, '06-20')).toBe('none');
  world.services.clock.set(at('06-25'));
  await client.put(`/members/${made._id}`, { segments: [vip, other] });
  expect(await visit(made._id, '06-26')).toBe(1);

  // A membership from before dates were recorded has none.
  await world.services.db.collection('members').updateOne({ _id: ruled._id }, { $unset: { segmentDates: '' } });
  expect(await visit(ruled._id, '06-26')).toBe('none');
  expect(await collectionOf(world.services.db, segmentResource).countDocuments({ name: 'VIP' })).toBeGreaterThan(0);
});

test('an explanation shows facts of time as they were, also by the clock of the location', async () => {
  const early = {
    key: 'early',
    name: 'Early',
    activityTypes: ['Accrual'],
    hours: { from: '06:00', to: '09:00', clock: 'location' },
    actions: [{ type: 'addPoints', purse: 'Points', points: 5 }],
  };
  const loyal = {
    key: 'loyal',
    name: 'Loyal',
    activityTypes: ['Accrual'],
    conditions: {
      all: [
        { fact: 'daysSince', params: { of: 'enrolment' }, operator: 'greaterThanInclusive', value: 30 },
        {
          fact: 'crossed',
          params: { metric: 'spend', period: { last: 7, unit: 'day' }, every: 100 },
          operator: 'greaterThan',
          value: 0,
        },
        { fact: 'hour', params: { clock: 'location' }, operator: 'lessThan', value: 12 },
      ],
    },
    actions: [{ type: 'addPoints', purse: 'Points', points: 5 }],
  };
  await open([early, loyal]);
  world.services.clock.set(at('06-30'));
  const admin = world.server.as('admin');
  const store = await admin.post('/locations', { number: 'T1', name: 'Tokyo', timezone: 'Asia/Tokyo' });
  expect(store.status).toBe(201);
  const member = await world.addMember({ enrolledAt: new Date(at('06-01')) });
  const post = { type: 'Accrual', memberID: member._id, value: 150, srcChannelID: 'T1' };
  const reported = async (date: string) => {
    const now = await acting.post({ ...post, date }, '?explain=true');
    const { body } = await admin.get(`/activityhistories/${now.body.result.data.activityId}/explain`);
    const sentences = ({ ruleMatch }: { ruleMatch: { sentence: string }[] }) =>
      ruleMatch.map(({ sentence }) => sentence);
    expect(sentences(body)).toEqual(sentences(now.body));
    return sentences(body);
  };

  // 22:30 UTC is 7:30 of the next day in Tokyo.
  expect(await reported('2026-06-28T22:30:00.000Z')).toEqual([
    'It fired for 5 points in Points.',
    "It needs that the days since the member's enrolment is at least 30: it was 27.",
  ]);
  expect(await reported('2026-06-30T03:30:00.000Z')).toEqual([
    'It holds from 06:00 to 09:00 at the location: it was Tue 12:30 (Asia/Tokyo).',
    "It needs that the days since the member's enrolment is at least 30: it was 29.",
  ]);
  await world.services.db
    .collection('members')
    .updateOne({ _id: member._id }, { $set: { enrolledAt: new Date(at('05-01')) } });
  await world.services.db.collection('locations').updateOne({ number: 'T1' }, { $set: { timezone: 'UTC' } });
  expect(await reported('2026-06-30T03:45:00.000Z')).toEqual([
    'It holds from 06:00 to 09:00 at the location: it was Tue 03:45 (UTC).',
    'It fired for 5 points in Points.',
  ]);
});
