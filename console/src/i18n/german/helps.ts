import { actionHelps } from './helps/actionHelps';
import { definitionHelps } from './helps/definitionHelps';
import { memberHelps } from './helps/memberHelps';
import { ruleHelps } from './helps/ruleHelps';
import { testHelps } from './helps/testHelps';

/**
 * What fields are for, in German, by their paths or the ends of these (`useHelp.ts`). The console shows the English text where
 * this has none; a test names such fields.
 */
export const helps: Readonly<Record<string, string>> = {
  ...testHelps,
  ...definitionHelps,
  ...memberHelps,
  ...ruleHelps,
  ...actionHelps,
};
