import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import type { Config } from '#platform/infrastructure/config';

/** The deployment that is looked at. */
export interface Deployment {
  config: Config;
  db: Connection;
  redis: Redis;
  /** True when MongoDB and Redis are the private ones of `npm start`. */
  isEmbedded: boolean;
  now: Date;
  /** The version of Node.js, such as `v24.1.0`. */
  nodeVersion: string;
}

/** What a check found, and what to do about it. */
export interface Finding {
  status: 'ok' | 'warning' | 'failure';
  found: string;
  /** One sentence; absent when all is well. */
  advice?: string;
}

/** One thing to check. It changes nothing, and is bounded in time by who runs it. */
export interface Check {
  /** A dotted name that stays the same, such as `mongodb.version`. */
  name: string;
  run(at: Deployment): Promise<Finding> | Finding;
}

/** All is well. */
export function ok(found: string): Finding {
  return { status: 'ok', found };
}

/** It works, but should be changed. */
export function warning(found: string, advice: string): Finding {
  return { status: 'warning', found, advice };
}

/** It does not work, or loses data, or lets others in. */
export function failure(found: string, advice: string): Finding {
  return { status: 'failure', found, advice };
}

/** The worst of these findings that is not `ok`, else that all is well. */
export function first(findings: readonly (Finding | false | undefined)[], fine: string): Finding {
  const real = findings.filter((each): each is Finding => Boolean(each));
  return real.find(({ status }) => status === 'failure') ?? real.find(({ status }) => status === 'warning') ?? ok(fine);
}
