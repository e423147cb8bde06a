/** A tag of the OpenAPI document: a chapter of the reference, with the operations of one topic. */
interface Tag {
  name: string;
  /** One or two sentences for a developer who reads the reference. */
  description: string;
}

/**
 * Every tag, in the order of the reference: by reader, and then as docs/guide.md introduces them. The definition of a
 * resource names the tag of its routes.
 */
export const tagGroups = [
  {
    name: 'For clients',
    tags: [
      {
        name: 'Sign in',
        description:
          'Start here, or with the [guide](/docs/guide): `POST /api/v1/login` answers a token. Every other call carries ' +
          'it in the header `Authorization: Bearer <token>`.',
      },
      {
        name: 'Members',
        description:
          'A member earns and burns points in one program. Enrol, find, change, merge and erase members, and read ' +
          'their purses and statements.',
      },
      {
        name: 'Activities',
        description:
          'An activity is what a member did. Ask what it would be worth, post it, cancel it, and read the history: ' +
          'what it earned and why.',
      },
      {
        name: 'Points and tiers',
        description:
          'Accrual items are the awards of points, the journal has every change of a purse, and tier histories have ' +
          'every change of a tier.',
      },
      {
        name: 'Rewards and offers',
        description: 'A reward costs points, an offer does not. An issued reward is a code that belongs to one member.',
      },
      { name: 'Accounts', description: 'An account joins members of several programs that are one person.' },
      {
        name: 'Events',
        description:
          'An event is what a commit did: points earned, a tier changed, a member merged. Read them in order, and go on ' +
          'where you stopped.',
      },
      {
        name: 'Aggregates',
        description:
          'The sum of each metric of a member over a day, week, month, quarter, half year, year or lifetime. Lists ' +
          'and counts require the argument `query`.',
      },
    ],
  },
  {
    name: 'For program managers',
    tags: [
      {
        name: 'Programs',
        description: 'Programs that members join, with their kinds of points (purse policies) and their tiers.',
      },
      { name: 'Catalog', description: 'Products, locations and partners that activities and rules name.' },
      {
        name: 'Lists and segments',
        description: 'Named lists and segments that rules ask for membership, and enums with further values of fields.',
      },
      { name: 'Extension fields', description: 'Which fields the `ext` of each kind of record may have.' },
      {
        name: 'Rules',
        description: 'Rules decide what an activity earns. Read those in force, check rule files, and load them anew.',
      },
      { name: 'Simulations', description: 'What changed rules would have given for past activities.' },
    ],
  },
  {
    name: 'For operators',
    tags: [
      {
        name: 'Webhooks',
        description: 'Receivers to which the service posts its events, what they answered, and replays of the past.',
      },
      { name: 'Imports and exports', description: 'Files of many records: read in as a job, and written as a stream.' },
      { name: 'Users', description: 'Users who may log in, and their roles.' },
      {
        name: 'API keys',
        description: 'What servers send instead of the token of a user: limited to permissions, with an end and a use.',
      },
      { name: 'Audit', description: 'Who changed what, when and from where. Only admins read it; nobody changes it.' },
      { name: 'Operation', description: 'Jobs, health, metrics, and this documentation.' },
    ],
  },
] as const satisfies { name: string; tags: Tag[] }[];

/** The name of a tag of the OpenAPI document. */
export type TagName = (typeof tagGroups)[number]['tags'][number]['name'];
