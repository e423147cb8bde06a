import type { OnProgress } from '../../common/progressTo';

/** What a download may use. */
export interface DownloadContext {
  /** An empty directory in the cache, deleted afterwards. */
  stageDir: string;
  /** The PATH to find tools on. */
  path: string;
  platform: NodeJS.Platform;
  arch: string;
  onProgress: OnProgress;
}

/** A place a server program can be downloaded from. */
export interface DownloadSource {
  name: string;
  /** Puts the program into `stageDir` and gives its file; rejects with one line when it cannot. */
  fetch: (context: DownloadContext) => Promise<string>;
}
