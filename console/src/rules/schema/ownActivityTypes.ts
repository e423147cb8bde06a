/** The types of activity that every org has. All others have names that an org chose. */
export const ownActivityTypes: readonly string[] = [
  'Accrual',
  'Redemption',
  'Adjustment',
  'Enrollment',
  'Referral',
  'Cancellation',
  'TierReached',
  'TierLost',
  'PointsExpired',
  'MemberEnrolled',
  'RewardIssued',
  'ReferralCompleted',
  'PointsExpiring',
  'Birthday',
  'Anniversary',
  'Scheduled',
];
