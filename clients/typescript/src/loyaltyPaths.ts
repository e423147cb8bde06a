import type { paths } from './generated/api';

/**
 * The operations of the document as the service takes them. Besides what the document says, lists and counts take any
 * field of their records as a filter, and lists of words as a text too: `sort: '-createdAt,_id'`.
 */
export type LoyaltyPaths = {
  [Path in keyof paths]: {
    [Method in keyof paths[Path]]: Method extends 'get'
      ? Read<paths[Path][Method], RecordOf<Path>>
      : paths[Path][Method];
  };
};

/**
 * Posts that wait for their result: without `async: true`, the service answers 200 only. So the result needs no
 * distinction from a submission that is queued.
 */
export type WaitingPaths = {
  [Path in '/api/v1/activity' | '/api/v1/activity/{id}/cancel']: { post: Waiting<paths[Path]['post']> };
};

type Waiting<Post extends { parameters: object; responses: object }> = Omit<Post, 'parameters' | 'responses'> & {
  parameters: {
    [Place in keyof Post['parameters']]: Place extends 'query'
      ? NotAsync<Post['parameters'][Place]>
      : Post['parameters'][Place];
  };
  responses: Omit<Post['responses'], 202>;
};

type NotAsync<Query> = Omit<NonNullable<Query>, 'async'> & { async?: false };

/** What a field is compared with. A text may begin with `~`, `>`, `>=`, `<`, `<=` or `!=`. */
export type FilterValue = string | number | boolean;

/** The record of a list or count. */
type RecordOf<Path extends keyof paths> = Path extends `${infer List extends keyof paths}/count`
  ? ElementOf<paths[List]>
  : ElementOf<paths[Path]>;

type ElementOf<Methods> = Methods extends {
  get: { responses: { 200: { content: { 'application/json': readonly (infer Element)[] } } } };
}
  ? Element
  : never;

type Read<Get, Found> = Get extends { parameters: object }
  ? Omit<Get, 'parameters'> & {
      parameters: {
        [Place in keyof Get['parameters']]: Place extends 'query'
          ? Arguments<Get['parameters'][Place], Found>
          : Get['parameters'][Place];
      };
    }
  : Get;

/** Only reads in the query language have an argument `query`. */
type Arguments<Query, Found> = [NonNullable<Query>] extends [never]
  ? Query
  : 'query' extends keyof NonNullable<Query>
    ? Worded<NonNullable<Query>> & ([Found] extends [never] ? unknown : Filters<NonNullable<Query>, Found>)
    : Worded<NonNullable<Query>>;

type Worded<Query> = {
  [Name in keyof Query]: NonNullable<Query[Name]> extends readonly unknown[] ? Query[Name] | string : Query[Name];
};

type Filters<Query, Found> = {
  [Field in Exclude<keyof Found & string, keyof Query>]?: FilterValue;
} & {
  /** A field within an object, such as `purses.balance` or `ext.shoeSize`. */
  [Inner: `${string}.${string}`]: FilterValue;
};
