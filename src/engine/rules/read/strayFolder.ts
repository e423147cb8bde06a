import { didYouMean } from '../source/nearest';
import type { RuleFault } from '../source/ruleSource';

/** The warning of a folder with rule files whose name is no program's code. Its files are not read. */
export function strayFolder(folder: string, codes: Iterable<string>): RuleFault {
  const message = `no program has the code "${folder}"${didYouMean(folder, codes)}; its rule files are not read`;
  return { file: folder, line: 1, column: 1, message };
}
