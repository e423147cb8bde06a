import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { connect } from '#base/db/connect';
import { inTransaction } from '#base/db/transaction';
import { memberResource } from '#records/members/member';

/**
 * Changes a member in a transaction that never ends, and prints a line after the change. The arguments are the URI of
 * the database and the id of the member.
 */
async function holdMember([uri = '', id = '']: string[]): Promise<void> {
  const db = await connect(uri, { maxPoolSize: 1 });
  await inTransaction(db, async (session) => {
    await collectionOf(db, memberResource).updateOne({ _id: new ObjectId(id) }, { $inc: { version: 1 } }, { session });
    process.stdout.write('held\n');
    await new Promise((resolve) => setTimeout(resolve, 120_000));
  });
}

void holdMember(process.argv.slice(2));
