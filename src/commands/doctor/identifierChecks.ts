import type { ObjectId } from 'bson';
import { comparable, findableFault, folded, soughtForms, withoutUnseen } from '#base/schema/findable';
import { type Check, type Deployment, type Finding, ok, warning } from './check';

/** The strings by which records are found, with their collections. */
const found = [
  ['members', 'loyaltyIDs'] as const,
  ['products', 'sku'] as const,
  ['locations', 'number'] as const,
  ['partners', 'code'] as const,
  ['offers', 'code'] as const,
  ['rewards', 'code'] as const,
  ['issuedrewards', 'code'] as const,
  ['accrualitems', 'externalId'] as const,
  ['submissions', 'key'] as const,
  ['pursepolicies', 'name'] as const,
  ['tierpolicies', 'name'] as const,
  ['segments', 'name'] as const,
  ['namedlists', 'name'] as const,
  ['enums', 'value'] as const,
  ['users', 'username'] as const,
];

/** Strings that ignore case, with the key of their collection. */
const keyed = [
  ['offers', 'code', 'codeKey'],
  ['rewards', 'code', 'codeKey'],
  ['users', 'username', 'usernameKey'],
] as const;

/** The most records that a finding names, and that are looked at in each collection. */
const namedMax = 20;
const lookedMax = 500;

/** How long the search in one collection may take, in milliseconds. */
const searchMaxMs = 1500;

/** All but printable ASCII without a blank at an end: most collections have few such strings. */
const odd = /^ | $|[^\x20-\x7e]/;

interface Odd {
  _id: ObjectId;
  org: unknown;
  text: string;
}

async function oddTexts({ db }: Deployment, collection: string, field: string): Promise<Odd[]> {
  const records = await db
    .collection<{ _id: ObjectId } & Record<string, unknown>>(collection)
    .find({ [field]: odd }, { projection: { org: 1, [field]: 1 }, maxTimeMS: searchMaxMs })
    .limit(lookedMax)
    .toArray();
  return records.flatMap(({ _id, org, [field]: value }) =>
    [value].flat().flatMap((text) => (typeof text === 'string' && odd.test(text) ? [{ _id, org, text }] : [])),
  );
}

/**
 * Names the records with a string that could not be written today, each with the record that people confuse it with.
 */
async function unfitIn(at: Deployment, collection: string, field: string): Promise<string[]> {
  const texts = await oddTexts(at, collection, field);
  const unfit = texts.filter(({ text }) => text !== comparable(text) || findableFault(text, 'name') !== undefined);
  return Promise.all(
    unfit.slice(0, namedMax).map(async ({ _id, org, text }) => {
      const like = { org, [field]: { $in: soughtForms(withoutUnseen(text)) }, _id: { $ne: _id } };
      const twin = await at.db.collection(collection).findOne(like, { projection: { _id: 1 }, maxTimeMS: searchMaxMs });
      return `${collection}/${_id.toHexString()} ${JSON.stringify(text)}${twin ? ` looks like ${String(twin._id)}` : ''}`;
    }),
  );
}

/** Names the records that have no key since another one has it. */
async function alikeInCase({ db }: Deployment, [collection, field, key]: (typeof keyed)[number]): Promise<string[]> {
  const records = db.collection<{ _id: ObjectId } & Record<string, unknown>>(collection);
  const without = await records
    .find({ [key]: { $exists: false } }, { projection: { org: 1, [field]: 1 }, maxTimeMS: searchMaxMs })
    .limit(lookedMax)
    .toArray();
  const named: string[] = [];
  for (const { _id, org, [field]: text } of without) {
    const own = collection === 'users' ? {} : { org };
    const twin = await records.findOne({ ...own, [key]: folded(String(text)) }, { projection: { _id: 1 } });
    if (twin)
      named.push(`${collection}/${_id.toHexString()} ${String(text)} is ${twin._id.toHexString()} in another case`);
  }
  return named;
}

function identifierFinding(named: readonly string[], advice: string): Finding {
  if (named.length === 0) return ok('none');
  const more = named.length > namedMax ? ', and more' : '';
  return warning(`${named.slice(0, namedMax).join(', ')}${more}`, advice);
}

/** Checks of strings by which records are found (docs/design/identifiers.md). */
export const identifierChecks: readonly Check[] = [
  {
    name: 'identifiers.lookAlikes',
    async run(at) {
      const named: string[] = [];
      for (const [collection, field] of found) named.push(...(await unfitIn(at, collection, field)));
      return identifierFinding(
        named,
        'Give these records a text without blanks at its ends and invisible characters, or merge them.',
      );
    },
  },
  {
    name: 'identifiers.case',
    async run(at) {
      const named = await Promise.all(keyed.map((each) => alikeInCase(at, each)));
      return identifierFinding(
        named.flat(),
        'Rename these records: another one has the same text in another case, and is the one that is found.',
      );
    },
  },
];
