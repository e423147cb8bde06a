import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { memberDataKey } from '../../ui/reads';

interface ChangeOptions<T> {
  /** The message of what was done. */
  done: string;
  /** Tells whether an answer says that it was done. Default: every answer does. */
  isDone?(answer: T): boolean;
  onDone?(answer: T): void;
}

/** Changes something of a member, reads everything shown again, and notifies the user. */
export function useChange<Body, T>(
  change: (body: Body) => Promise<T>,
  { done, isDone = () => true, onDone }: ChangeOptions<T>,
) {
  const queries = useQueryClient();
  const notify = useNotify();
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => {
      if (isDone(answer)) notify(done, { type: 'success' });
      else notify('activities.refused', { type: 'error' });
      void queries.invalidateQueries({ queryKey: [memberDataKey] });
      onDone?.(answer);
    },
  });
}
