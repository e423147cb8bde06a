import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import { Ajv } from 'ajv';
import { Engine, type RuleProperties } from 'json-rules-engine';
import { type JwtPayload, verify } from 'jsonwebtoken';
import Koa from 'koa';
import mongoose from 'mongoose';
import rawBody from 'raw-body';
import { ordinaryModels } from './models';

// The ordinary design: a service as a team would write it in a week with the same packages. It takes the same posts,
// answers their points and stores the same kinds of records, in one transaction for each post.
const { MONGODB_URI = '', JWT_SECRET = '', RULES_FILE = '' } = process.env;
const { Member, History, AccrualItem, JournalEntry, MetricEvent } = ordinaryModels(mongoose);
const rules: RuleProperties[] = JSON.parse(readFileSync(RULES_FILE, 'utf8'));

const isPurchase = new Ajv({ allErrors: true }).compile({
  type: 'object',
  required: ['type', 'loyaltyID', 'value'],
  properties: {
    type: { enum: ['Accrual'] },
    loyaltyID: { type: 'string', maxLength: 100 },
    srcChannelType: { type: 'string' },
    currencyCode: { type: 'string' },
    value: { type: 'integer', minimum: 0 },
  },
});

interface Purchase extends Record<string, unknown> {
  type: string;
  loyaltyID: string;
  value: number;
}

/** The points that the rules give: a fresh engine for each post, since facts and rules must not leak between posts. */
async function pointsFor(activity: Purchase, member: object): Promise<number> {
  const engine = new Engine(rules, { allowUndefinedFacts: true });
  const now = new Date();
  const facts = { activity, member, dayOfWeek: now.getUTCDay(), hour: now.getUTCHours() };
  const { events } = await engine.run(facts);
  return events.reduce((sum, { params = {} }) => sum + (params.times ? activity.value : Number(params.points)), 0);
}

async function post(activity: Purchase, user: string) {
  return mongoose.connection.transaction(
    async (session) => {
      const member = await Member.findOne({ loyaltyID: activity.loyaltyID }).session(session).orFail();
      const points = await pointsFor(activity, member.toObject());
      const by = { createdBy: user, member: member._id };
      const balance = member.balance + points;
      const history = new mongoose.Types.ObjectId();
      await History.create([{ ...by, _id: history, activity, points, balance }], { session });
      await AccrualItem.create([{ ...by, history, points, available: points }], { session });
      await JournalEntry.create([{ ...by, history, kind: 'accrue', points, balance }], { session });
      await MetricEvent.create([{ ...by, spend: activity.value, points, visits: 1 }], { session });
      member.set({ balance, spend: member.spend + activity.value, visits: member.visits + 1 });
      await member.save({ session });
      return { id: history, points, balance };
    },
    { writeConcern: { w: 'majority', j: true } },
  );
}

const router = new Router();
router.post('/api/v1/activity', async (ctx) => {
  const token = ctx.get('authorization').replace('Bearer ', '');
  const { sub = '' } = verify(token, JWT_SECRET) as JwtPayload;
  const activity: unknown = JSON.parse(await rawBody(ctx.req, { encoding: 'utf8', limit: '1mb' }));
  if (!isPurchase(activity)) return ctx.throw(422, 'Validation Error');
  ctx.status = 201;
  ctx.body = await post(activity as Purchase, sub);
});

async function main(): Promise<void> {
  await mongoose.connect(MONGODB_URI, { maxPoolSize: 100 });
  await mongoose.syncIndexes();
  const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`);
  });
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
