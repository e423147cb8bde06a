import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { type DownloadSource, runDownload } from './runDownload';

/**
 * The download runs in a process of its own, so that it can be killed when the host does not answer. The downloader
 * checks certificates only when npm is configured to do so, hence the first line. It reads the proxy from the
 * environment.
 */
const SCRIPT = `
process.env.npm_config_strict_ssl = 'true';
const { MongoBinary } = require(process.argv[1]);
MongoBinary.getPath({ downloadDir: process.argv[2], version: process.argv[3], checkMD5: true }).then(
  (file) => process.stdout.write('\\nfile=' + file + '\\n'),
  (error) => { process.stderr.write(String(error.message).replace(/\\s+/g, ' ') + '\\n'); process.exit(1); },
);
`;

/** The downloader of mongodb-memory-server-core. It serves every platform for which MongoDB publishes a mongod. */
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
    // The file may be in the library's own cache. A copy leaves that cache as it is.
    const copy = path.join(stageDir, 'mongod');
    await copyFile(file, copy);
    return copy;
  };
  return { name: `mongodb-memory-server-core (mongod ${version})`, fetch };
}
