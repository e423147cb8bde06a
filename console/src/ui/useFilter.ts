import { useSearchParams } from 'react-router-dom';

/** A filter in the address; setting it goes back to the first page. */
export function useFilter(name: string): [string, (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const set = (value: string) =>
    setParams((old) => {
      const next = new URLSearchParams(old);
      next.delete('skip');
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  return [params.get(name) ?? '', set];
}
