import { mongo } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { StartError } from '#base/common/startError';
import { classifyStoreFailure, isOfRedis } from '#base/db/storeFailure';
import { ArchiveError } from '#operations/archive/volumeFiles';
import { BackupError } from '#operations/backup/manifest';
import { ConfigError } from '#platform/infrastructure/config';
import { firstLine } from './retryPolicy';

/**
 * What a person sees of an error that ends a command or a start: a line that says what to do, or one for each fault.
 * Undefined: a fault of ours, about which the person can do nothing.
 */
export function failureLines(error: unknown): string[] | undefined {
  if (error instanceof ConfigError) return error.lines;
  if (error instanceof StartError || error instanceof BackupError || error instanceof ArchiveError)
    return [error.message];
  if (error instanceof ServiceError) {
    return error.details.errors?.map(({ path, message }) => `${path} ${message}`) ?? [error.message];
  }
  const line = mongoLine(error) ?? redisLine(error) ?? fileLine(error);
  return line === undefined ? undefined : [line];
}

const again = 'then try again';

/** Codes of the server: wrong user or password, and a user who may not do this. */
const [wrongCredentials, notAllowed] = [new Set<unknown>([18, 8000]), 13];

function mongoLine(error: unknown): string | undefined {
  const failure = error instanceof Error ? classifyStoreFailure(error) : undefined;
  if (failure?.of === 'MongoDB') {
    return `MongoDB does not answer (${withoutErrorNames(error)}): check that it runs and that MONGODB_URI is right, ${again}`;
  }
  if (!(error instanceof mongo.MongoError)) return undefined;
  if (wrongCredentials.has(error.code)) {
    return `MongoDB refuses us (${withoutErrorNames(error)}): correct the user and the password of MONGODB_URI, ${again}`;
  }
  if (error.code === notAllowed) {
    return `MongoDB does not allow this (${withoutErrorNames(error)}): give the user of MONGODB_URI the role readWrite, ${again}`;
  }
  if (!(error instanceof mongo.MongoServerError)) {
    return `MongoDB cannot be used (${withoutErrorNames(error)}): check MONGODB_URI, which is like mongodb://host:27017/loyalty, ${again}`;
  }
  return `MongoDB refuses what was asked (${withoutErrorNames(error)}): npm run doctor says what may be wrong, ${again}`;
}

/** The first line of a message, without the names of classes that drivers write into it. */
function withoutErrorNames(error: unknown): string {
  return firstLine(error).replace(/\b\w*(?:Error|Exception): /g, '');
}

function redisLine(error: unknown): string | undefined {
  if (isOfRedis(error)) {
    return `Redis does not answer (${firstLine(error)}): check that it runs and that REDIS_URL is right, ${again}`;
  }
  const isRefusal = error instanceof Error && error.name === 'ReplyError';
  if (!isRefusal) return undefined;
  return `Redis refuses us (${firstLine(error)}): correct the user and the password of REDIS_URL, ${again}`;
}

/** What is wrong with a file, by the error code of the operating system, and what to do. */
const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist: check the path',
  ENOTDIR: 'is not below a folder: check the path',
  EISDIR: 'is a folder: name a file',
  EACCES: 'may not be read or written by this user: change its permissions',
  EPERM: 'may not be read or written by this user: change its permissions',
  EROFS: 'is on a disk that cannot be written: name another place',
  EEXIST: 'exists already: name another, or remove it',
  ENOTEMPTY: 'is not empty: name another folder',
  ELOOP: 'is a link that leads to itself: name a file',
  ENAMETOOLONG: 'is too long a name: name another file',
  ENOSPC: 'cannot be written, because the disk is full: make room',
  EMFILE: 'cannot be opened, because too many files are open: raise the limit of open files',
};

function fileLine(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  const fault = fileFaults[error.code];
  if (fault === undefined) return undefined;
  const name = 'path' in error && typeof error.path === 'string' ? error.path : 'The file';
  return `${name} ${fault}, ${again}`;
}
