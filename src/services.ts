import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Pipeline } from './activities/pipeline';
import type { Clock } from './clock';
import type { Config } from './config';
import type { Resource } from './db/resource';
import type { Queues } from './jobs/queues';
import type { RuleSets } from './rulesets/ruleSets';

/** Everything a use case may need, opened and closed in one place. */
export interface Services {
  config: Config;
  log: Logger;
  clock: Clock;
  db: Connection;
  redis: Redis;
  /** HS256 key of tokens. */
  jwtSecret: string;
  /** The catalogue of resources. */
  resources: readonly Resource[];
  queues: Queues;
  ruleSets: RuleSets;
  pipeline: Pipeline;
  close(): Promise<void>;
}
