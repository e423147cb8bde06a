import { Type } from '@sinclair/typebox';
import { list, oneOf, record, text } from '#base/schema/atoms';
import { compileParse } from '#base/schema/parse';
import { type DocOf, defineResource, type Resource } from '#base/schema/resource';
import { unfitInPatterns } from '#base/schema/textFaults';
import { roleNames } from './permissions';

/** A password as clients send it: 10 to 200 characters; never stored and never in a response. */
export const password = Type.String({
  minLength: 10,
  maxLength: 200,
  writeOnly: true,
  description: 'Write-only',
  'x-help': '',
});

const fields = {
  username: Type.String({
    pattern: '^\\S(.*\\S)?$',
    minLength: 1,
    maxLength: 100,
    'x-findable': 'identifier',
    description: 'Unique over all orgs in any case; must not begin with `system@`, `key@` or `oidc@`',
    'x-document': { not: { pattern: `^(system|key|oidc)@|[${unfitInPatterns}]` } },
  }),
  /** The form by which a username is found, and unique, in any case. Absent for users who cannot log in here. */
  usernameKey: Type.Optional(Type.String({ maxLength: 400 })),
  /** Absent for users who cannot log in here: the system user of an org, and users of API keys and OIDC. */
  passwordHash: Type.Optional(text(500)),
  roles: list(oneOf(roleNames), roleNames.length, { default: [], uniqueItems: true }),
  isActive: Type.Boolean({ default: true, description: 'Tokens of an inactive user are refused at once' }),
  kind: Type.Optional(
    oneOf(['key', 'oidc'], {
      description:
        'key: stands for the API key of the same id in `createdBy`, and cannot log in; oidc: signs in at the OpenID ' +
        'provider, which gives name and roles',
    }),
  ),
  issuer: Type.Optional(text(500, { description: 'OpenID provider of the user' })),
  subject: Type.Optional(text(255, { description: 'Id of the user at the provider' })),
};

const stored = defineResource({
  name: 'User',
  path: 'users',
  access: 'user',
  tag: 'Users',
  fields,
  readOnly: ['kind', 'issuer', 'subject'],
  hidden: ['passwordHash', 'usernameKey'],
  indexes: [
    { keys: { username: 1 }, unique: true },
    { keys: { usernameKey: 1 }, unique: true, where: { usernameKey: { $exists: true } } },
  ],
});

/** Users: who may call the API. Bodies have a `password`; the stored record has only its hash. */
export const userResource: Resource<typeof fields> = {
  ...stored,
  ...withPassword(stored),
};

export type User = DocOf<typeof userResource>;

/** The fields of a user as a schema; the type argument of its routes. */
export type UserProperties = typeof fields;

function withPassword({ createBody, updateBody }: Pick<Resource, 'createBody' | 'updateBody'>) {
  const { passwordHash: _created, ...creatable } = createBody.properties;
  const { passwordHash: _updated, ...updatable } = updateBody.properties;
  const create = record({ ...creatable, password });
  const update = record({ ...updatable, password: Type.Optional({ ...password, 'x-required': true }) });
  return {
    createBody: create,
    updateBody: update,
    parseCreate: compileParse(create),
  };
}
