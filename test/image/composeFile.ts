import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** A service of docker-compose.yml, as far as tests look at it. */
export interface ComposeService {
  image: string;
  profiles?: string[];
  user?: string;
  init: boolean;
  restart: string;
  read_only: boolean;
  mem_limit: string;
  stop_grace_period: string;
  command: string[];
  environment: Record<string, string>;
  secrets: string[];
  volumes: string[];
  ports?: string[];
  logging: { driver: string; options: Record<string, string> };
  healthcheck: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
}

/** What docker-compose.yml says when Docker Compose has filled in the variables. */
export interface ComposeFile {
  services: Record<'api' | 'worker' | 'mongo' | 'redis' | 'prometheus' | 'grafana', ComposeService>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
}

/** Reads docker-compose.yml with these variables in the environment, as Docker Compose does. */
export function readComposeFile(variables: Record<string, string> = {}): ComposeFile {
  const text = readFileSync(path.resolve(__dirname, '../../docker-compose.yml'), 'utf8');
  return filled(parse(text, { merge: true }), variables) as ComposeFile;
}

function filled(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === 'string') return filledText(value, variables);
  if (Array.isArray(value)) return value.map((each) => filled(each, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, variables)]));
}

/** Fills in `${NAME:-default}` and `$$`, the only forms that the file uses. */
function filledText(text: string, variables: Record<string, string>): string {
  return text.replaceAll(/\$(?:\$|\{(\w+):-([^}]*)\}|(.))/g, (all, name?: string, otherwise = '', other?: string) => {
    if (other !== undefined) throw new Error(`docker-compose.yml has ${all}, which these tests do not know`);
    return name === undefined ? '$' : variables[name] || otherwise;
  });
}
