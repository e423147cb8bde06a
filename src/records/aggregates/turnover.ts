import type { Static } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import { integerMax, record, text } from '#base/schema/atoms';

/** The sum of the absolute changes of a metric, less returned values; see {@link withinExactSums}. */
export const turnoverShape = record({ metric: text(150), value: Type.Integer({ minimum: 0, maximum: integerMax }) });

export type Turnover = Readonly<Static<typeof turnoverShape>>;

/** Most metrics of a member that have a turnover. */
export const turnoversMax = 1000;
