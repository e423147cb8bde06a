import { useCallback } from 'react';
import { useTranslate } from 'react-admin';
import { inWords } from '../../i18n/useFieldLabel';
import { namedField } from '../schema/conditionQuery';
import { type FactOption, paramsText } from '../schema/factOptions';

/**
 * What a fact, or a part of it, is called: `Activity: Line items, Item SKU`. A fact that has no name in the language is
 * called as rules have it.
 */
export function useFactLabel(): (option: FactOption) => string {
  const translate = useTranslate();
  return useCallback(
    ({ name, label }) => {
      const named = namedField(name);
      const known = 'fact' in named ? translate(`facts.names.${named.fact}`, { _: '' }) : '';
      if (!('fact' in named) || known === '') return label;
      const steps = stepsOf(named.path).map((step) =>
        step.name === '*'
          ? translate('facts.each')
          : translate(`fields.${step.name}`, { _: step.isOfOrg ? step.name : inWords(step.name) }),
      );
      const suffix = named.params === undefined ? '' : ` (${paramsText(named.params)})`;
      return `${known}${steps.length === 0 ? '' : `: ${steps.join(', ')}`}${suffix}`;
    },
    [translate],
  );
}

/**
 * The names in a path, with `*` only where it ends with every element: a field of every element needs no word for it.
 * What stands in quotes or below `ext` has the name that the org gave it.
 */
function stepsOf(path = ''): { name: string; isOfOrg: boolean }[] {
  const steps = [...path.replace(/^\$/, '').matchAll(/\['([^']*)'\]|\[([^\]]*)\]|\.?([^.[\]]+)/g)];
  const ext = steps.findIndex(([, , , name]) => name === 'ext');
  const names = steps.map(([, quoted, at, name], index) => ({
    name: quoted ?? at ?? name ?? '',
    isOfOrg: quoted !== undefined || (ext >= 0 && index > ext),
  }));
  return names.filter(({ name }, index) => name !== '*' || index === names.length - 1);
}
