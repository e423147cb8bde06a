/** With this text begin the keys of activities that the service posts to itself. No key of a client may begin with it. */
export const ownKeyPrefix = 'occasion:';
