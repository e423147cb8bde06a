import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { compileCheck } from '#base/schema/parse';
import { password } from '#records/users/user';
import type { CommandStreams } from './runCommand';
import { CommandError } from './withDatabase';

const faultsOf = compileCheck(password);

/**
 * Reads a password from the first line of the input. On a terminal, the command prompts for it and does not echo it.
 * @throws CommandError when the password is too short or too long
 */
export async function readPassword({ input, err }: CommandStreams): Promise<string> {
  const isTerminal = input.isTTY === true;
  if (isTerminal) err('Password (10 to 200 characters, not shown):');
  const line = await firstLine(input, isTerminal);
  const [fault] = faultsOf(line);
  if (fault) throw new CommandError(`The password ${fault.message}; it is read from the first line of the input`);
  return line;
}

/** The first line of an input; empty when it has none. */
export async function firstLine(input: NodeJS.ReadableStream, terminal: boolean): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
  }
}
