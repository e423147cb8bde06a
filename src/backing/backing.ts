import type { KeyObject } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock } from '../common/clock';
import type { VersionCache } from '../orgs/orgVersions';
import type { ExtDefinitions } from '../records/extensions/extDefinitions';
import type { RulesInForce } from '../rules/check/rulesInForce';
import type { UsesByText } from '../schema/namedByText';
import type { Resource } from '../schema/resource';
import type { Tracer } from '../tracing/tracer';
import type { Config } from './config';

/** The infrastructure that use cases take: configuration, log, clock, stores and catalogues. `services/` opens it. */
export interface Backing {
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
}
