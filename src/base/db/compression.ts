import type { mongo } from 'mongoose';

/**
 * Documents and index pages are written to disk compressed by zstd. Index pages are as large as pages of documents,
 * because small ones compress less (decision 51).
 */
export const compression = {
  ...wiredTiger('block_compressor=zstd'),
  indexOptionDefaults: wiredTiger('block_compressor=zstd,leaf_page_max=32KB'),
};

function wiredTiger(configString: string) {
  return { storageEngine: { wiredTiger: { configString } } };
}

/** A replica set that has just started, or is busy, may be slow to confirm. A start waits longer than a request. */
export const patient: mongo.WriteConcernSettings = { w: 'majority', wtimeoutMS: 15_000 };
