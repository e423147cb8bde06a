import type { ObjectId } from 'bson';
import type { DueTime } from '#base/calendar/dueTimes';
import type { Occasion } from '#records/activities/occasion';
import type { Program } from '#records/programs/program';
import type { ProgramSchedule } from './programSchedules';

/** A schedule, its program, and the instant that is due. */
export interface DueSchedule {
  schedule: ProgramSchedule;
  program: Program;
  due: DueTime;
  /** The day of the birthday, anniversary or expiry itself: `daysBefore` days after the day that is due. */
  day: DueTime['day'];
}

/** The occasion of a member. `idParts` distinguish it from others of its schedule and member. */
export interface DueOccasion {
  idParts: readonly (string | number | ObjectId)[];
  occasion: Occasion;
}
