import { type RefObject, useEffect, useRef } from 'react';

const fields = 'input:not([type="checkbox"]), textarea, [role="combobox"]';

/**
 * Moves the focus to what was added to the parts of a rule: call the second before it is added to the element of the
 * first. Otherwise the focus would stay behind the new part, or get lost with a menu that has nothing left to add.
 */
export function useFocusAdded(): [place: RefObject<HTMLDivElement | null>, willAdd: () => void] {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef<readonly Element[]>(undefined);
  // The part comes with a later render, when the text of the rule has been read again.
  useEffect(() => {
    const added = [...(place.current?.children ?? [])].find((each) => before.current?.includes(each) === false);
    const first = added?.querySelector<HTMLElement>(fields) ?? added?.querySelector('button');
    if (!first) return;
    before.current = undefined;
    first.focus();
  });
  const willAdd = () => {
    before.current = [...(place.current?.children ?? [])];
  };
  return [place, willAdd];
}
