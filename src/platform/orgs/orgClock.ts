import type { Clock } from '#base/common/clock';

/** How far the clock of a sandbox is ahead of the machine's, in milliseconds; absent in every other org. */
export interface MovedClock {
  aheadMs?: number | undefined;
}

/** The time of an org at an instant of the machine's clock. */
export function orgTime(machineNow: Date, { aheadMs }: MovedClock): Date {
  return aheadMs ? new Date(machineNow.getTime() + aheadMs) : machineNow;
}

/** The clock of an org. That of an org that is no sandbox is the machine's own. */
export function orgClock(clock: Clock, moved: MovedClock): Clock {
  const machine = toMachineClock(clock);
  return moved.aheadMs ? { now: () => orgTime(machine.now(), moved), machine } : machine;
}

/** The machine's clock that a clock of an org is based on. */
export function toMachineClock(clock: Clock): Clock {
  return clock.machine ?? clock;
}

/** These services with the clock of an org. */
export function atOrgTime<S extends { clock: Clock }>(services: S, moved: MovedClock): S {
  return moved.aheadMs ? { ...services, clock: orgClock(services.clock, moved) } : services;
}
