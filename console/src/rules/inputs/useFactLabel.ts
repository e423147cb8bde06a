import { useCallback } from 'react';
import { useTranslate } from 'react-admin';
import { namedField } from '../schema/conditionQuery';
import { type FactOption, paramsText } from '../schema/factOptions';

/**
 * What a fact, or a part of it, is called: `Aktivität: Positionen, Artikelnummer`. In a language without names of facts
 * it is called as rules have it.
 */
export function useFactLabel(): (option: FactOption) => string {
  const translate = useTranslate();
  return useCallback(
    ({ name, label }) => {
      const named = namedField(name);
      const known = 'fact' in named ? translate(`facts.names.${named.fact}`, { _: '' }) : '';
      if (!('fact' in named) || known === '') return label;
      const steps = stepsOf(named.path).map((step) =>
        step === '*' ? translate('facts.each') : translate(`fields.${step}`, { _: step }),
      );
      const suffix = named.params === undefined ? '' : ` (${paramsText(named.params)})`;
      return `${known}${steps.length === 0 ? '' : `: ${steps.join(', ')}`}${suffix}`;
    },
    [translate],
  );
}

/** The names in a path, with `*` only where it ends with every element: a field of every element needs no word for it. */
function stepsOf(path = ''): string[] {
  const steps = [...path.replace(/^\$/, '').matchAll(/\['([^']*)'\]|\[([^\]]*)\]|\.?([^.[\]]+)/g)];
  const names = steps.map(([, quoted, at, name]) => quoted ?? at ?? name ?? '');
  return names.filter((name, index) => name !== '*' || index === names.length - 1);
}
