/** Fields of a member that say who the person is, or that lead to the person. An erasure and a merge remove them. */
export const personalFields = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'birthDate',
  'address',
  'locale',
  'enrollChannel',
  'referredBy',
  'familyHead',
  'segmentDates',
  'formerKeys',
  'ext',
] as const;
