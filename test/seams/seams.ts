/** A net against lost, doubled or invented points that is cut, and the test that turns red without it. */
export interface Seam {
  /** What is switched off. */
  net: string;
  /** The source, a text that occurs in it once, and the text in its place. */
  file: string;
  from: string;
  to: string;
  /** The file and the title of the test that finds it. */
  test: string;
  title: string;
}

/** Each net of docs/reliability.md that a test alone must be able to miss. A text that is no longer there is an error. */
export const seams: readonly Seam[] = [
  {
    net: 'the guard by the version of the member',
    file: 'src/members/memberState/commitLedger.ts',
    from: 'q: { _id: memberId, org: author.org, version },',
    to: 'q: { _id: memberId, org: author.org },',
    test: 'test/activities/commit/commitPlan.test.ts',
    title:
      'a member that another commit has changed since it was read is not written, nor is anything else of the plan',
  },
  {
    net: 'the unique index of keys',
    file: 'src/records/activities/submission.ts',
    from: '{ keys: { org: 1, key: 1 }, unique: true }',
    to: '{ keys: { org: 1, key: 1 } }',
    test: 'test/activities/keys.test.ts',
    title: 'an async post with a finished key answers 200 and the replayed result at once, whoever was first',
  },
  {
    net: 'the gate by the state of the submission',
    file: 'src/activities/commit/commitPlan.ts',
    from: "q: { _id: { $in: ids }, org, status: 'Queued' },",
    to: 'q: { _id: { $in: ids }, org },',
    test: 'test/activities/commit/commitPlan.test.ts',
    title: 'a submission that another process has ended is not ended again, and nothing of the plan is written',
  },
  {
    net: 'the order of burning',
    file: 'src/engine/points/lots/lotQueues.ts',
    from: 'time: ({ dtExpiresOn }) => dtExpiresOn?.getTime() ?? never,',
    to: 'time: ({ dtExpiresOn }) => -(dtExpiresOn?.getTime() ?? never),',
    test: 'test/engine/points/ledger/burn.test.ts',
    title: 'the lot that expires first burns first, and lots that never expire burn last',
  },
  {
    net: 'ids derived from what a record is about',
    file: 'src/base/db/records.ts',
    from: "return hash('sha256', joined, 'hex');",
    to: "return hash('sha256', joined + Math.random(), 'hex');",
    test: 'test/base/db/records.test.ts',
    title: 'equal parts give equal ids, and different parts different ones',
  },
  {
    net: 'the write concern of accepted activities',
    file: 'src/activities/inbox/acceptSubmissions.ts',
    from: "writeConcern: { w: 'majority', journal: true, wtimeoutMS: timeouts.majorityMs },",
    to: 'writeConcern: { w: 1 },',
    test: 'test/faults/failedWrites.test.ts',
    title:
      'secondaries locked: what was answered is applied once, what was not at most once; a repetition of a key is accepted only when the first is held by a majority',
  },
  {
    net: 'the confirmation of an insert whose outcome is unknown',
    file: 'src/activities/inbox/acceptSubmissions.ts',
    from: 'if (!isAllTaken || !isEachRowReported || error.result.getWriteConcernError()) return undefined;',
    to: '',
    test: 'test/faults/failedWrites.test.ts',
    title: 'new submissions beside one with a known key are stored unless their write is in doubt',
  },
  {
    net: 'the return of what a cancellation gives back of limits',
    file: 'src/activities/returns/counterReturns.ts',
    from: 'return after.map(({ id, returned, at }, index) => ({',
    to: 'return after.slice(0, 0).map(({ id, returned, at }, index) => ({',
    test: 'test/activities/limits.test.ts',
    title: 'a cancel gives points back in parts and uses only as a whole',
  },
];
