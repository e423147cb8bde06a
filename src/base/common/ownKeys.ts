/**
 * The keys of activities that the service posts to itself begin with this prefix. No key of a client may begin with it.
 */
export const ownKeyPrefix = 'occasion:';
