import type { BinaryKind } from './binaries/findBinary';
import type { Secrets } from './secrets';

/** A server that an embedded start may run. */
export interface Server extends BinaryKind {
  /** The options of a start that name a server to use instead, and the program. */
  options: { uri: 'mongodbUri' | 'redisUrl'; binary: 'mongodBinary' | 'redisServerBinary' };
  /** The name of the folder with its data. */
  folder: string;
  /** The text that it prints when it is ready. */
  readyText: string;
  /** True when its log would contain what clients sent. */
  logsValues: boolean;
  /** Writes the private files that it reads into the data directory. Returns its arguments, without the port. */
  prepare(dataDir: string, folder: string, secrets: Secrets): string[];
  /** Makes it usable after it was ready. */
  complete?(port: number, secrets: Secrets): Promise<void>;
  /** Returns its address with credentials. */
  uriOf(port: number, secrets: Secrets): string;
}
