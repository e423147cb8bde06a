import { useMemo } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import { useChoiceLabel } from '../../i18n/useChoiceLabel';
import { useZone } from '../../time/ZoneContext';
import { useRuleForm } from '../inputs/RuleFormContext';
import { useFactLabel } from '../inputs/useFactLabel';
import { fieldName } from '../schema/conditionQuery';
import { optionOfField } from '../schema/factOptions';
import { comparing } from '../schema/knownFacts';
import type { Wording } from './wording';

/** What the words of the sentence are made with, in the language of the console. */
export function useWording(): Wording {
  const translate = useTranslate();
  const locale = useLocale();
  const zone = useZone();
  const label = useFactLabel();
  const choiceLabel = useChoiceLabel();
  const { schema } = useRuleForm();
  return useMemo(
    () => ({
      translate,
      locale,
      zone,
      choiceLabel,
      factLabel: ({ fact, path, params }) =>
        label(optionOfField(fieldName({ fact: String(fact), ...(typeof path === 'string' ? { path } : {}), params }))),
      operatorLabel: ({ fact, path, operator }) => {
        const known = comparing(schema, String(fact), typeof path === 'string' ? path : undefined)?.operators ?? [];
        const description = known.find(({ name }) => name === operator)?.description;
        return translate(`rules.operators.${String(operator)}`, { _: description || String(operator) });
      },
    }),
    [translate, locale, zone, label, choiceLabel, schema],
  );
}
