import type { KeyObject } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock } from '#base/common/clock';
import type { PrepareRead } from '#base/query/reader';
import type { UsesByText } from '#base/schema/namedByText';
import type { Resource } from '#base/schema/resource';
import type { Tracer } from '#base/tracing/tracer';
import type { RulesInForce } from '#engine/rules/check/rulesInForce';
import type { VersionCache } from '#platform/orgs/orgVersions';
import type { ExtDefinitions } from '#records/extensions/extDefinitions';
import type { Config } from './config';

/** The infrastructure that use cases take: configuration, log, clock, stores and catalogues. `services/` opens it. */
export interface Infrastructure {
  config: Config;
  log: Logger;
  /** Makes spans; undefined when traces are not sent. */
  tracer?: Tracer | undefined;
  clock: Clock;
  db: Connection;
  redis: Redis;
  /** HS256 key of tokens. It is made once, because making it costs more than verifying a token. */
  tokenKey: KeyObject;
  /** The catalogue of resources. */
  resources: readonly Resource[];
  /** The extension fields that orgs have defined. */
  extDefinitions: VersionCache<ExtDefinitions>;
  ruleSets: RulesInForce;
  usesByText: UsesByText;
  prepareRead: PrepareRead;
}
