/** Messages of the audit log, in English. */
export const audit = {
  audit: {
    text: 'Who changed what, when and from where. Nobody can change or delete an entry.',
    via: { host: 'a command on the host', service: 'the service itself' },
    kinds: {
      imports: 'Import',
      jobs: 'Job',
      rulesets: 'Rules, version',
      proposals: 'Rules, proposal',
      orgs: 'Organization',
      members: 'Member',
      accrualitems: 'Award',
    },
    entry: 'Entry %{seq}',
    before: 'Before',
    after: 'After',
    unseen: 'Also changed, not shown: %{names}',
  },
};
