import { Type } from '@sinclair/typebox';
import { message } from '#base/common/messages/message';

/** The argument by which a CSV file begins with a byte order mark. */
export const bomArgument = {
  description: 'true: the CSV file begins with a byte order mark, by which Excel knows that it is UTF-8',
  schema: Type.Boolean(),
};

/** Why a file in another format has no such mark. */
export const bomFault = message('exchange.bomOfCsv');
