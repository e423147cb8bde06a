import { useEffect, useState } from 'react';

/** A value once it has not changed for a while, so that not every key press causes a request. */
export function useSettled<T>(value: T, quietMs = 500): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return settled;
}
