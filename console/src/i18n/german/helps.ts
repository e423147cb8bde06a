import { actionHelps } from './helps/actionHelps';
import { definitionHelps } from './helps/definitionHelps';
import { memberHelps } from './helps/memberHelps';
import { ruleHelps } from './helps/ruleHelps';
import { testHelps } from './helps/testHelps';

/**
 * What fields are for, in German, by the English text that the service says. The console shows the English text where
 * this has none; a test names such texts.
 */
export const helps: Readonly<Record<string, string>> = {
  ...testHelps,
  ...definitionHelps,
  ...memberHelps,
  ...ruleHelps,
  ...actionHelps,
};
