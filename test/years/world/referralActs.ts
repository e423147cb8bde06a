import { refer } from '../oracle/process';
import { oneOf } from './draw';
import { post } from './post';
import type { Scene } from './scene';

/** A member says who referred it, rightly or not, or leaves that to what is known. */
export async function nameReferrer(scene: Scene): Promise<void> {
  const { random, program, fleet } = scene;
  const member = oneOf(program.members, random);
  const said = oneOf(['nothing', 'nothing', 'nobody', ...program.members, ...program.members] as const, random);
  const sent = said === 'nothing' ? undefined : said;
  const known = sent && sent !== 'nobody' ? await fleet.client().get(`/members/${sent.id}`) : undefined;
  const referralCode = sent === 'nobody' ? 'NOBODY' : (known?.body.referralCode as string | undefined);
  await post(scene, { type: 'Referral', member, value: 10, ext: {}, referralCode }, (act) =>
    refer(act, program.referring, { referrals: program.referrals, sent }),
  );
}
