import type { Response } from './client';

/** Returns the invalid fields of a 422 answer, each as `path kind`. */
export function refusals(answer: Pick<Response, 'body'> | undefined): string[] {
  return answer?.body.errors?.map(({ path, kind }: { path: string; kind: string }) => `${path} ${kind}`) ?? [];
}
