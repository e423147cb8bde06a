import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { queryLimits } from './queryLimits';

/** The remaining budget of the filters of one read, over `query` and all shorthands together. */
export interface FilterBudget {
  /**
   * Counts a field, an operator or a branch.
   * @throws ServiceError 1210 past the limit
   */
  spendNode(): void;
  /**
   * Counts a regular expression.
   * @param isKeyed an index finds all values that match it
   * @throws ServiceError 1210 past the limit
   */
  spendRegex(isKeyed: boolean): void;
  /** Tells whether a regular expression was counted that is not keyed. */
  hasUnkeyedRegex(): boolean;
}

/** Makes a full budget: {@link queryLimits.nodesMax} nodes and {@link queryLimits.regexesMax} regular expressions. */
export function filterBudget(): FilterBudget {
  let nodes = 0;
  let regexes = 0;
  let unkeyed = 0;
  return {
    spendNode() {
      nodes += 1;
      if (nodes > queryLimits.nodesMax) {
        throw malformed(message('query.tooManyConditions', { max: queryLimits.nodesMax }));
      }
    },
    spendRegex(isKeyed) {
      regexes += 1;
      if (!isKeyed) unkeyed += 1;
      if (regexes > queryLimits.regexesMax) {
        throw malformed(message('query.tooManyRegexes', { max: queryLimits.regexesMax }));
      }
    },
    hasUnkeyedRegex: () => unkeyed > 0,
  };
}
