import path from 'node:path';
import type { ServerName } from './binaries/binaryKind';

/** Where a server's pid (and start time) is written. */
export function pidFile(dataDir: string, name: ServerName): string {
  return path.join(dataDir, `${name}.pid`);
}

/** Where a server's port is written; it stays when the server ends, so that the next start uses the same port. */
export function portFile(dataDir: string, name: ServerName): string {
  return path.join(dataDir, `${name}.port`);
}

/** Where a server's log is. */
export function logFile(dataDir: string, name: ServerName): string {
  return path.join(dataDir, `${name}.log`);
}

/** What only mongod and this service may know is in a file: arguments of a process are seen by every user. */
export function mongodKeyFile(dataDir: string): string {
  return path.join(dataDir, 'mongod.key');
}

/** How redis-server is configured, with the password of its user. */
export function redisConfigFile(dataDir: string): string {
  return path.join(dataDir, 'redis-server.conf');
}

/** Where the process that uses the servers is named. */
export function ownerFile(dataDir: string): string {
  return path.join(dataDir, 'owner.pid');
}

/** Where the watchdog of the servers is named. */
export function watchdogFile(dataDir: string): string {
  return path.join(dataDir, 'watchdog.pid');
}

/** Exists from the moment a watchdog decided to end the servers. */
export function stoppingFile(dataDir: string): string {
  return path.join(dataDir, 'watchdog.stopping');
}
