import Router from '@koa/router';
import Koa from 'koa';
import mongoose, { Schema } from 'mongoose';

// Bare reads: what Koa and mongoose cost alone. It answers the same records from the same collections as plain objects,
// without a login, roles, an org, limits or a log.
const { MONGODB_URI = '' } = process.env;
const anyFields = { strict: false } as const;
const Member = mongoose.model('Member', new Schema({}, { ...anyFields, collection: 'members' }));
const JournalEntry = mongoose.model('JournalEntry', new Schema({}, { ...anyFields, collection: 'journal' }));

const router = new Router();
router.get('/api/v1/members/:id', async (ctx) => {
  ctx.body = await Member.findById(ctx.params.id).lean().orFail();
});
router.get('/api/v1/members/:id/statement', async (ctx) => {
  const member = new mongoose.Types.ObjectId(ctx.params.id);
  const { org } = await Member.findById(member).lean<{ org: mongoose.Types.ObjectId }>().orFail();
  ctx.body = await JournalEntry.find({ org, member }).sort({ purse: 1, seq: 1 }).limit(100).lean();
});

async function main(): Promise<void> {
  await mongoose.connect(MONGODB_URI, { maxPoolSize: 100, autoIndex: false });
  const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`);
  });
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
