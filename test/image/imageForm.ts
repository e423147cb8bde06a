import assert from 'node:assert';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(__dirname, '../..');
const run = promisify(execFile);

/** What the Dockerfile makes: the folder that is /app in the image, and the environment of the image. */
export interface ImageForm {
  app: string;
  environment: Record<string, string>;
}

interface Stage {
  name: string;
  from: string;
  steps: string[];
}

/**
 * Makes the last stage of the Dockerfile in a folder, instruction by instruction, without Docker.
 * @param node the program that is `node` in the image
 */
export async function makeImageForm(folder: string, node: string): Promise<ImageForm> {
  const made = new Map<string, Promise<ImageForm>>();
  const stages = stagesOf(readFileSync(path.join(root, 'Dockerfile'), 'utf8'));
  // A stage waits for those that it names, so stages that do not need each other are made at the same time.
  for (const stage of stages) made.set(stage.name, new Build(folder, node, made).make(stage));
  await Promise.all(made.values());
  return found(made.get(stages.at(-1)?.name ?? ''));
}

function stagesOf(dockerfile: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of dockerfile.replaceAll('\\\n', ' ').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [instruction, from = '', , name] = line.split(/\s+/);
    if (instruction === 'FROM') stages.push({ name: name ?? `stage-${stages.length}`, from, steps: [] });
    else found(stages.at(-1)).steps.push(line);
  }
  return stages;
}

/** Makes one stage. */
class Build {
  private app = '';
  private environment: Record<string, string> = {};

  constructor(
    private readonly folder: string,
    private readonly node: string,
    private readonly made: ReadonlyMap<string, Promise<ImageForm>>,
  ) {}

  async make({ name, from, steps }: Stage): Promise<ImageForm> {
    this.app = path.join(this.folder, name);
    mkdirSync(this.app);
    // A map has a stage only after the call for it, so a stage that names a later one or itself fails here.
    if (!from.startsWith('node:')) await this.begin(await found(this.made.get(from)));
    for (const step of steps) await this.do(step);
    return { app: this.app, environment: this.environment };
  }

  private begin({ app, environment }: ImageForm): void {
    cpSync(app, this.app, { recursive: true });
    this.environment = { ...environment };
  }

  private async do(step: string): Promise<void> {
    const [instruction = '', ...words] = step.split(/\s+/);
    if (instruction === 'COPY') await this.copy(words);
    else if (instruction === 'RUN') await this.run(words.join(' '));
    else if (instruction === 'ENV') Object.assign(this.environment, Object.fromEntries(words.map(pair)));
    else if (instruction === 'WORKDIR') assert.deepStrictEqual(words, ['/app']);
    else assert(['USER', 'EXPOSE', 'CMD'].includes(instruction), `${instruction} is not known here`);
  }

  private async copy(words: string[]): Promise<void> {
    const [, stage] = /^--from=(\S+)$/.exec(words[0] ?? '') ?? [];
    const sources = words.slice(stage ? 1 : 0, -1);
    const target = path.join(this.app, words.at(-1) ?? '');
    for (const source of sources) {
      const place = words.at(-1)?.endsWith('/') ? path.join(target, path.basename(source)) : target;
      if (stage) renameSync(path.join((await found(this.made.get(stage))).app, path.relative('/app', source)), place);
      else cpSync(path.join(root, inContext(source)), place, { recursive: true });
    }
  }

  /**
   * Brings what the build of this checkout made. The build compares the sources with those it was made from, and makes
   * again what differs, with the packages of this checkout: from here they have another path.
   */
  private bringBuilt(): void {
    const [from, to] = [path.join(root, 'dist'), path.join(this.app, 'dist')];
    const info = path.join(from, '.tsbuildinfo');
    if (!existsSync(info)) return;
    const text = readFileSync(info, 'utf8');
    const sources = (JSON.parse(text).fileNames as string[]).filter((name) => !name.includes('/node_modules/'));
    // What was made from a source that the Dockerfile does not copy would hide that it is missing.
    if (!sources.every((name) => existsSync(path.join(to, name)))) return;
    // The pages of the documentation are always made.
    cpSync(from, to, { recursive: true, filter: (name) => path.relative(from, name) !== 'docs' });
    const packages = path.relative(to, realpathSync(path.join(root, 'node_modules')));
    writeFileSync(path.join(to, '.tsbuildinfo'), text.replaceAll('"../node_modules/', `"${packages}/`));
  }

  private async run(command: string): Promise<void> {
    const isInstall = command.startsWith('npm ci');
    // The packages for developers are those of this checkout, which another `npm ci` installed by the same lock file.
    if (isInstall && !command.includes('--omit=dev')) {
      symlinkSync(path.join(root, 'node_modules'), path.join(this.app, 'node_modules'));
      return;
    }
    if (command === 'npm run build') this.bringBuilt();
    const env = { HOME: process.env.HOME, PATH: `${path.dirname(this.node)}:${process.env.PATH}` };
    await run('sh', ['-c', isInstall ? `${command} --prefer-offline` : command], { cwd: this.app, env });
  }
}

/** The source of a COPY, which .dockerignore must let through. */
function inContext(source: string): string {
  const allowed = readFileSync(path.join(root, '.dockerignore'), 'utf8').split('\n');
  assert(
    allowed.includes('*') && allowed.includes(`!${source.replace('./', '')}`),
    `.dockerignore leaves out ${source}`,
  );
  assert(existsSync(path.join(root, source)), `there is no ${source}`);
  return source;
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the Dockerfile names a stage before it makes it');
  return value;
}
