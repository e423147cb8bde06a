import { later } from '../oracle/calendar';
import { setByRule } from '../oracle/process';
import { oneOf } from './draw';
import { post } from './post';
import { times } from './rules';
import type { Scene } from './scene';

/** A rule sets a level up or down, or gives it for a time. */
export async function setTier(scene: Scene): Promise<void> {
  const { random, program } = scene;
  const member = oneOf(program.members, random);
  const { name: policy, levels } = oneOf(program.tierPolicies, random);
  const { name } = oneOf(levels, random);
  const level = levels.findIndex((each) => each.name === name);
  const time = oneOf(['always', 'weeks', 'months'] as const, random);
  await post(scene, { type: 'Adjustment', member, value: 10, ext: { level: `${policy} ${name}`, time } }, (act) =>
    setByRule(
      act,
      policy,
      level,
      time === 'always' ? undefined : later(act.date, times[time].value, times[time].unit, member.zone),
    ),
  );
}
