import type { Static } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import { integerMax, record, text } from '../../schema/atoms';

/** What the changes of a metric come to without their signs, less what was given back; see {@link withRoom}. */
export const turnoverShape = record({ metric: text(150), value: Type.Integer({ minimum: 0, maximum: integerMax }) });

export type Turnover = Readonly<Static<typeof turnoverShape>>;

/** Most metrics with a turnover of their own that a member has. */
export const turnoversMax = 1000;
