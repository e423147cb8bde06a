import type { ObjectId } from 'bson';
import type { Author } from '#base/db/records';
import type { OrgVersions } from '#platform/orgs/orgVersions';
import type { ApiKey } from '#records/users/apiKey';

/** The authenticated user of a request, or the API key. They are read from MongoDB for every request. */
export interface Principal extends Author {
  /** The name of the user or of the API key. */
  username: string;
  /** The session of the token; absent with an API key. */
  sessionId?: ObjectId;
  /** The API key of the request; absent with a token. Its id is `userId`. */
  apiKey?: Omit<ApiKey, 'secrets'>;
  permissions: ReadonlySet<string>;
  /** Versions of the definitions and the rule set that were in force in the org when the user was read. */
  versions?: OrgVersions;
}
