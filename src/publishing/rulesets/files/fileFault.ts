import { Type } from '@sinclair/typebox';
import { type Message, pickMessage } from '#base/common/messages/message';
import { oneOf, record } from '#base/schema/atoms';
import { messageFields } from '#base/schema/messageShape';
import type { RuleFault } from '#engine/rules/source/ruleSource';

/** A fault of a rule file with its position. Line and column count from 1. */
export const fileFaultShape = record({
  file: Type.String({ description: 'Path from RULES_DIR' }),
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  message: Type.String(),
  ...messageFields,
});

/** Where a file with faults came from. */
export const faultOrigin = oneOf(['folder', 'upload'], {
  description: 'Where the files are from: the folder of rules of the service, or the request',
});

/** A fault of a whole file or folder. */
export function fileFault(file: string, fault: Message): RuleFault {
  return { file, line: 1, column: 1, ...pickMessage(fault) };
}
