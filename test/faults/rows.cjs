/**
 * What must hold, and the test files that show it. L: the ledger; F: faults. `npm run faults` runs these files and
 * reports each row.
 */
const rows = [
  {
    number: 'L1',
    promise: 'No member is ever overdrawn',
    files: ['faults/concurrency', 'faults/handedOver', 'faults/storm'],
  },
  { number: 'L2', promise: 'One key has one effect', files: ['faults/concurrency', 'activities/keys', 'faults/storm'] },
  {
    number: 'L3',
    promise: 'Points are conserved under every command',
    files: ['engine/points/ledgerModel', 'faults/storm'],
  },
  { number: 'L4', promise: 'No answer shows half of a change', files: ['activities/concurrent', 'faults/storm'] },
  {
    number: 'L5',
    promise: 'Cancels in any order leave no points and no debt; late timers change nothing',
    files: ['engine/points/anyOrder', 'activities/anyOrder', 'engine/points/timers'],
  },
  {
    number: 'L6',
    promise: 'Partial returns add up',
    files: ['activities/returnsAddUp', 'activities/returns/ruleMovements'],
  },
  {
    number: 'L7',
    promise: 'What is sent once is applied once, also without a key',
    files: ['faults/failedWrites', 'faults/storm'],
  },
  {
    number: 'L8',
    promise: 'A cancel counts once',
    files: ['faults/concurrency', 'activities/restore', 'faults/storm'],
  },
  {
    number: 'L9',
    promise: 'Timers that are killed or run at once settle each lot once',
    files: ['faults/killedTimer', 'faults/timersAtOnce'],
  },
  { number: 'L10', promise: 'Corruption is found', files: ['members/reconcile/reconcileStores'] },
  {
    number: 'L11',
    promise: 'Budgets, uses of offers and sequences are exact, whichever process is killed',
    files: ['faults/sharedCounters'],
  },
  {
    number: 'L12',
    promise: 'In drawn worlds of odd time zones, three years of acts are what the contract says',
    files: ['years/threeYears'],
  },
  { number: 'L13', promise: 'With a net cut, a test fails', files: ['seams/seams'] },
  { number: 'F1', promise: 'A failed insert is never acknowledged', files: ['faults/failedWrites'] },
  {
    number: 'F2',
    promise: 'While any store is frozen, stepped down or away, each request is answered within 5 s',
    files: ['faults/frozen', 'faults/frozenRedis', 'faults/killedProcess', 'faults/storm', 'faults/eachFault'],
  },
  {
    number: 'F3',
    promise: 'Clocks apart by minutes lose and double nothing',
    files: ['faults/killedProcess', 'faults/storm'],
  },
  { number: 'F4', promise: 'A full disk loses nothing that was acknowledged', files: ['faults/diskFull'] },
  { number: 'F5', promise: 'Killed workers leave each queued activity processed once', files: ['faults/killedWorker'] },
  {
    number: 'F6',
    promise: 'An emptied Redis loses nothing that was accepted, and no logout',
    files: ['faults/emptiedRedis', 'faults/killedWebhooks', 'faults/storm', 'faults/eachFault'],
  },
  {
    number: 'F7',
    promise: 'A killed mongod loses nothing that was answered',
    files: ['faults/frozen', 'faults/storm', 'faults/eachFault'],
  },
  {
    number: 'F8',
    promise: 'A commit of unknown outcome is answered rightly, or 503',
    files: ['faults/failedWrites', 'faults/storm', 'faults/eachFault'],
  },
  { number: 'F9', promise: 'Without Redis posts go on', files: ['faults/frozenRedis'] },
  {
    number: 'F10',
    promise: 'Of up to five times what a process can do, the excess is refused at once',
    files: ['faults/overload', 'faults/crowdedConnections', 'base/limits/admission'],
  },
  { number: 'F11', promise: 'A poison activity or rule harms no neighbour', files: ['faults/poison'] },
  { number: 'F12', promise: 'SIGTERM under load resets nothing', files: ['faults/terminated'] },
  { number: 'F13', promise: 'Hot members are committed nearly without retries', files: ['faults/hotMembers'] },
  {
    number: 'F14',
    promise: 'Killed imports, commands, events, rewards, occasions and archives continue',
    files: [
      'faults/killedImport',
      'faults/killedCommands',
      'faults/killedEvents',
      'faults/killedRewards',
      'faults/killedOccasions',
      'faults/killedArchive',
    ],
  },
  {
    number: 'F15',
    promise: 'Hostile clients keep no connection, and logs stay short',
    files: ['faults/hostileConnections', 'faults/quietLogs'],
  },
];

module.exports = { rows, fileOf: (name) => `test/${name}.test.ts` };
