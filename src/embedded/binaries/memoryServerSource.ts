import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { type DownloadSource, runDownload } from './runDownload';

/**
 * In a process of its own, so that it can be ended when its host does not answer. Its downloader checks certificates only when npm is
 * configured so, hence the first line; it reads the proxy from the environment.
 */
const SCRIPT = `
process.env.npm_config_strict_ssl = 'true';
const { MongoBinary } = require(process.argv[1]);
MongoBinary.getPath({ downloadDir: process.argv[2], version: process.argv[3], checkMD5: true }).then(
  (file) => process.stdout.write('\\nfile=' + file + '\\n'),
  (error) => { process.stderr.write(String(error.message).replace(/\\s+/g, ' ') + '\\n'); process.exit(1); },
);
`;

/** The downloader of mongodb-memory-server-core, for every platform MongoDB publishes a mongod for. */
export function memoryServerSource(version: string): DownloadSource {
  const fetch: DownloadSource['fetch'] = async ({ stageDir, onProgress }) => {
    const args = ['-e', SCRIPT, require.resolve('mongodb-memory-server-core'), stageDir, version];
    const label = `mongod (MongoDB ${version})`;
    const output = await runDownload({
      label,
      command: process.execPath,
      args,
      stageDir,
      stallLimitMs: 20_000,
      onProgress,
    });
    const file = /^file=(.+)$/m.exec(output)?.[1];
    if (!file) throw new Error('the downloader named no file');
    // It may come from another cache of the library, which keeps its own.
    const copy = path.join(stageDir, 'mongod');
    await copyFile(file, copy);
    return copy;
  };
  return { name: `mongodb-memory-server-core (mongod ${version})`, fetch };
}
