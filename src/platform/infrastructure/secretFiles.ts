import { readFileSync, statSync } from 'node:fs';
import { errorMessage } from '#base/common/systemError';

/** Largest file of a secret in bytes. */
const maxBytes = 65_536;

/** Settings with the secrets that their files give, and a line for each file that gives none. */
export interface SecretsRead {
  environment: Record<string, string>;
  faults: string[];
}

/**
 * Reads the secrets that are in files: where `<name>_FILE` is set for one of these names, the file has its value. A
 * line feed at the end of the file does not count.
 */
export function readSecretFiles(environment: Record<string, string>, names: Iterable<string>): SecretsRead {
  const values = { ...environment };
  const faults: string[] = [];
  for (const name of names) {
    const file = environment[`${name}_FILE`];
    if (file === undefined) continue;
    try {
      if (environment[name] !== undefined) throw new Error(`and ${name} are both set; set one of them`);
      values[name] = readSecret(file);
    } catch (error) {
      faults.push(`${name}_FILE ${errorMessage(error)}`);
    }
  }
  return { environment: values, faults };
}

/** An empty file is a fault: the setting would count as not set, and without MONGODB_URI a new database would start. */
function readSecret(file: string): string {
  const secret = readSecretFile(file).replace(/\r?\n$/, '');
  if (secret.length === 0) throw new Error(`${file} is empty`);
  return secret;
}

function readSecretFile(file: string): string {
  try {
    const found = statSync(file);
    // Reading a pipe or a device could wait forever.
    if (!found.isFile()) throw new Error('it is not a file');
    if (found.size > maxBytes) throw new Error(`it has ${found.size} bytes, and a secret may have ${maxBytes}`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read: ${errorMessage(error)}`);
  }
}
