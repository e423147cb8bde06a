/** How much of one kind of work one user, and all users together, may have running in this process. */
export interface UserSlotLimits {
  perUser: number;
  inAll?: number;
  /** Makes the error for work that is one too many. */
  refused(): Error;
}

/**
 * Makes the count of one kind of work. It is in memory, because the work of a process ends with it. Nothing waits.
 * @returns takes a slot for a user, and returns what frees it; throws `refused` when there is none
 */
export function createUserSlots({ perUser, inAll = Number.POSITIVE_INFINITY, refused }: UserSlotLimits) {
  const running: string[] = [];
  return (user: string): (() => void) => {
    const own = running.filter((each) => each === user).length;
    if (own >= perUser || running.length >= inAll) throw refused();
    running.push(user);
    return () => void running.splice(running.indexOf(user), 1);
  };
}
