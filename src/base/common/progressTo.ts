import { terminalText } from './terminalText';

/** Receives a line about what a start is doing. An update replaces the previous update where the output allows that. */
export type OnProgress = (line: string, isUpdate?: boolean) => void;

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

const PLAIN_UPDATE_INTERVAL_MS = 5000;
const CLEAR_LINE = '\r\u001b[2K';

/**
 * Makes an `OnProgress` with one updating line on a terminal. Elsewhere it writes an update as a plain line, at most
 * every 5 s.
 */
export function progressTo(output: Output, now: () => number = Date.now): OnProgress {
  let isOnUpdate = false;
  let lastUpdateMs = 0;
  return (text, isUpdate = false) => {
    const line = terminalText(text);
    if (output.isTTY) {
      output.write(`${isOnUpdate ? CLEAR_LINE : ''}${line}${isUpdate ? '' : '\n'}`);
      isOnUpdate = isUpdate;
      return;
    }
    if (isUpdate && now() - lastUpdateMs < PLAIN_UPDATE_INTERVAL_MS) return;
    if (isUpdate) lastUpdateMs = now();
    output.write(`${line}\n`);
  };
}
