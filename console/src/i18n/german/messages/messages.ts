import { accessMessages } from './accessMessages';
import { activityMessages } from './activityMessages';
import { exchangeMessages } from './exchangeMessages';
import type { GermanMessages } from './germanMessages';
import { httpMessages } from './httpMessages';
import { memberMessages } from './memberMessages';
import { operationMessages } from './operationMessages';
import { programMessages } from './programMessages';
import { publishingMessages } from './publishingMessages';
import { queryMessages } from './queryMessages';
import { ruleFileMessages } from './ruleFileMessages';
import { ruleMessages } from './ruleMessages';
import { ruleTestMessages } from './ruleTestMessages';
import { schemaMessages } from './schemaMessages';

/** Every message of the service in German. */
export const messages: GermanMessages = {
  ...schemaMessages,
  ...queryMessages,
  ...httpMessages,
  ...accessMessages,
  ...programMessages,
  ...memberMessages,
  ...activityMessages,
  ...ruleMessages,
  ...ruleFileMessages,
  ...ruleTestMessages,
  ...publishingMessages,
  ...exchangeMessages,
  ...operationMessages,
};
