import { accessMessages } from './accessMessages';
import { activityMessages } from './activityMessages';
import { exchangeMessages } from './exchangeMessages';
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

/**
 * Every message of the service by its id: faults, warnings and refusals, in English. `{name}` is a parameter. Translations
 * have the same ids and parameters (docs/design/errors.md).
 */
export const messages = {
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
} as const;

export type Messages = typeof messages;

export type MessageId = keyof Messages;
