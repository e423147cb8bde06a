import { result } from 'loyalty-client/loyaltyError';
import type { LoyaltyPaths } from 'loyalty-client/loyaltyPaths';
import { useNavigate } from 'react-router-dom';
import { client } from '../../api/client';
import { useChange } from '../../members/change/useChange';
import { useRequestKey } from '../../members/change/useRequestKey';
import type { Member } from '../../ui/memberName';

/** The body of a post. */
export type ActivityBody = LoyaltyPaths['/api/v1/activity']['post']['requestBody']['content']['application/json'];

/** Posts an activity of a member, and opens it; one that only waits is not there yet, so then the member. */
export function usePost(member: Pick<Member, '_id'>) {
  const navigate = useNavigate();
  const keyOf = useRequestKey();
  return useChange(
    (body: ActivityBody) => {
      const params = { header: { 'Idempotency-Key': keyOf(body) } };
      return result(client.POST('/api/v1/activity', { body, params }));
    },
    {
      done: 'activities.post.done',
      isDone: (answer) => !('result' in answer && answer.result.errors?.length),
      onDone: (answer) => {
        const made = 'result' in answer ? answer.result.data?.activityId : undefined;
        void navigate(made ? `/activities/${made}` : `/members/${member._id}`);
      },
    },
  );
}

/**
 * What an activity would do: decided as the real one, also as if it were another time, and nothing is written. `asOf` is
 * empty for now.
 */
export async function tried(body: ActivityBody, asOf: string, sentences: { lang?: 'de' }) {
  const query = { persist: false, explain: true, ...sentences, ...(asOf === '' ? {} : { asOf }) };
  const answer = await result(client.POST('/api/v1/activity', { body, params: { query } }));
  if (!('result' in answer)) throw new Error('The service has accepted what it should only try');
  return answer;
}
