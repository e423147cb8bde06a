import { Type } from '@sinclair/typebox';
import { oneOf, record } from '../schema/atoms';
import { activityBody } from './activity';

/** The body of a cancel: the key-values of the cancellation; `type` is Cancellation or absent. */
export const cancelBody = record(
  { ...activityBody.properties, type: Type.Optional(oneOf(['Cancellation'])) },
  { examples: [{ type: 'Cancellation', value: 60 }] },
);
