import { message } from '#base/common/messages/message';
import { didYouMean } from '../source/nearest';
import type { RuleFault } from '../source/ruleSource';

/** The warning of a folder with rule files whose name is no program's code. Its files are not read. */
export function unknownFolder(folder: string, codes: Iterable<string>): RuleFault {
  const fault = didYouMean(message('ruleFiles.noProgram', { code: folder }), folder, codes);
  return { file: folder, line: 1, column: 1, ...message('ruleFiles.notRead', { fault }) };
}
