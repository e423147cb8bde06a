import type { ChoreInput } from './chore';

/** Makes a member that has these points. */
export async function makeMember({ world, insist }: ChoreInput, mark: string, points: number): Promise<string> {
  const fields = { program: world.program._id, firstName: mark, email: `${mark}@storm.example` };
  const options = { headers: { 'Idempotency-Key': mark } };
  const { body } = await insist('admin', [201], (api) => api.post('/members', fields, options));
  const activity = { type: 'Accrual', memberID: body._id, value: points, externalTxnId: mark };
  await insist('client', [200], (api) => api.post('/activity', activity));
  return body._id;
}
