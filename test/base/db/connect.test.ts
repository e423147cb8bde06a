import mongoose from 'mongoose';
import { prepareCollections } from '#base/db/prepareCollections';
import { followUpResource } from '#records/members/followUp';
import { testStores } from '../../support/stores';

test('making an index may take longer than any other command', async () => {
  const stores = testStores();
  const appName = 'slow-indexes';
  const db = await mongoose.createConnection(stores.mongodbUri, { appName, socketTimeoutMS: 200 }).asPromise();
  try {
    const data = { failCommands: ['createIndexes'], blockConnection: true, blockTimeMS: 600, appName };
    await db
      .getClient()
      .db('admin')
      .command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
    await prepareCollections(db, [followUpResource]);
    const indexes = await db.collection(followUpResource.path).indexes();
    expect(indexes.map(({ key }) => key)).toEqual([{ _id: 1 }, { org: 1, since: 1 }]);
  } finally {
    await db.destroy();
    await stores.drop();
  }
});
