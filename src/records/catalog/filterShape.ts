import { type Static, Type } from '@sinclair/typebox';
import { computedField, list, objectId, record, text } from '#base/schema/atoms';

/** Most fields in the criteria of one filter. */
export const inclusionParamsMax = 20;

/** Most characters of the searched values of one field. */
export const searchMaxLength = 10_000;

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/**
 * A flag that counts as true when it is not sent. The default is only in the document, for forms; it is not stored.
 */
const onFlag = (description: string) => Type.Optional(Type.Boolean({ description, 'x-document': { default: true } }));

/** The criterion for one field (SPEC "Inclusion params"). */
export const inclusionParamShape = record({
  isIncluded: onFlag('Whether records with these values are meant, or those without; default true'),
  type: Type.Optional(
    Type.String({
      pattern: '^([Ss]tring|[Nn]umber|[Ii]nteger|[Bb]oolean|[Dd]ate|[Oo]bject[Ii][Dd]|[Aa]rray)$',
      description: 'Type of the field; tells how values of extension fields are read',
    }),
  ),
  searchStr: Type.Optional(Type.String({ maxLength: searchMaxLength, description: 'Values, separated by commas' })),
  ids: Type.Optional(list(text(24, { pattern: '^[0-9a-fA-F]{24}$' }), 500)),
  isSubDoc: computedField({ type: 'boolean', description: 'Whether there are ids' }),
});

/** The criteria by field. */
export type InclusionParams = Record<string, Static<typeof inclusionParamShape>>;

/** The shape of {@link InclusionParams}. */
export const inclusionParamsShape = Type.Unsafe<InclusionParams>({
  type: 'object',
  maxProperties: inclusionParamsMax,
  additionalProperties: inclusionParamShape,
});

/** A location or product filter (SPEC "Location and product filters"); docs/decisions/0007 defines its meaning. */
export const filterShape = record({
  isDisabled: flag('Whether it restricts nothing'),
  isIncluded: onFlag('Whether what meets the criteria is eligible, or everything else; default true'),
  isORQuery: flag('Whether one criterion is enough; default false: all are needed'),
  isWildCardSearch: flag('Whether * and ? stand for any characters and one, without regard to case'),
  inclusionParams: Type.Optional(
    Type.Unsafe<InclusionParams | string>({
      ...inclusionParamsShape,
      type: ['object', 'string'],
      maxLength: 100_000,
      description: 'Criteria by field, or their JSON text',
    }),
  ),
  inclusionparamsnamedList: Type.Optional(objectId('NamedList', { description: 'A list as one more criterion' })),
  query: computedField({ type: 'string', description: 'Database query made from the criteria, as JSON text' }),
  count: computedField({ type: 'integer', description: 'How many records meet it' }),
});

/** A filter as clients send it and as it is stored. */
export type RecordFilter = Static<typeof filterShape>;
