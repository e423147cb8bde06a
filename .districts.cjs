/**
 * The districts of src, from the ground up, and which folders are pure. The dependency rules and Jest's fast project
 * follow from these lists. A district imports what stands in a row above its own. A new district is a word here; a new
 * folder in a district needs nothing.
 */
exports.rows = [
  ['base'],
  ['records'],
  ['engine'],
  ['platform'],
  ['access', 'programs'],
  ['members'],
  ['activities', 'insights'],
  ['publishing'],
  ['exchange'],
  ['operations'],
  ['server'],
  ['commands'],
];

/** Folders without I/O, as patterns. Neither their files nor the modules that these load do any. */
exports.pure = ['engine', 'base/query(?!/read)', 'base/schema', 'base/calendar', 'base/words', 'records/members/find', 'records/points/expiry'];
