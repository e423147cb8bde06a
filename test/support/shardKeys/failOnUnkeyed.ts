import { takeUnkeyed } from './report';

// A set-up file of jest, so that it holds for every test file, however few are run. Who sees it fail names the shard key
// in the filter (src/operations/sharding/shardKeys.ts), or says in unkeyed.ts why it may lack.
afterAll(() => {
  expect({ withoutShardKey: takeUnkeyed() }).toEqual({ withoutShardKey: [] });
});
