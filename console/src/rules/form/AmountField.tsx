import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFieldLabel } from '../../i18n/useFieldLabel';
import { FactChoice } from '../inputs/FactChoice';
import { fieldRow } from '../inputs/fieldRow';
import { JsonField } from '../inputs/JsonField';
import { NumberField } from '../inputs/NumberField';
import { useRuleForm } from '../inputs/RuleFormContext';
import { type AmountKind, amountKind, amountKinds, newAmount } from '../schema/amountKind';
import { isObject } from '../schema/fieldShape';

interface AmountFieldProps {
  label: string;
  help?: string | undefined;
  path: (string | number)[];
  value: unknown;
}

/** How many: a number, a multiple of a fact, or so many for each full step of a fact. */
export function AmountField({ label, help, path, value }: AmountFieldProps) {
  const translate = useTranslate();
  const { change, isReadOnly } = useRuleForm();
  const [chosenKind, setChosenKind] = useState<AmountKind>();
  const kind = chosenKind === 'json' ? 'json' : amountKind(value);
  return (
    <Stack direction="row" sx={{ ...fieldRow, flex: '1 1 100%' }} role="group" aria-label={label}>
      <TextField
        select
        label={label}
        value={kind}
        disabled={isReadOnly}
        sx={{ minWidth: 200 }}
        onChange={({ target }) => {
          const next = target.value as AmountKind;
          setChosenKind(next);
          if (next !== 'json') change({ path, value: newAmount(next, value) });
        }}
      >
        {amountKinds.map((each) => (
          <MenuItem key={each} value={each}>
            {translate(`rules.amount.${each}`)}
          </MenuItem>
        ))}
      </TextField>
      {kind === 'fixed' ? (
        <NumberField
          label={translate('rules.amount.number')}
          value={value}
          help={help}
          isReadOnly={isReadOnly}
          onChange={(next) => change({ path, value: next ?? 0 })}
        />
      ) : null}
      {kind === 'json' ? (
        <JsonField
          label={translate('rules.amount.computation')}
          value={value}
          isReadOnly={isReadOnly}
          onChange={(next) => change({ path, value: next })}
        />
      ) : null}
      {kind === 'multiple' || kind === 'steps' ? <Parts path={path} value={value} kind={kind} /> : null}
    </Stack>
  );
}

const numbersOf = { multiple: ['times', 'min', 'max'], steps: ['every', 'points', 'min', 'max'] } as const;
const rounds = ['floor', 'ceil', 'nearest'] as const;

/** The parts of an amount that is computed from a fact. */
function Parts({ path, value, kind }: { path: (string | number)[]; value: unknown; kind: 'multiple' | 'steps' }) {
  const translate = useTranslate();
  const label = useFieldLabel();
  const { change, isReadOnly } = useRuleForm();
  const amount = isObject(value) ? value : {};
  return (
    <>
      <FactChoice
        label={translate('rules.amount.of')}
        value={amount.of}
        isNumber
        onChange={(of) => change({ path: [...path, 'of'], value: of })}
      />
      {numbersOf[kind].map((name) => (
        <NumberField
          key={name}
          label={translate(`rules.amount.${name}`, { _: label(name) })}
          value={amount[name]}
          isReadOnly={isReadOnly}
          onChange={(next) => change({ path: [...path, name], value: next })}
        />
      ))}
      {kind === 'multiple' ? (
        <TextField
          select
          label={translate('rules.amount.round')}
          value={amount.round ?? ''}
          disabled={isReadOnly}
          sx={{ minWidth: 140 }}
          onChange={({ target }) =>
            change({ path: [...path, 'round'], value: target.value === '' ? undefined : target.value })
          }
        >
          <MenuItem value="">–</MenuItem>
          {rounds.map((each) => (
            <MenuItem key={each} value={each}>
              {translate(`rules.amount.rounds.${each}`)}
            </MenuItem>
          ))}
        </TextField>
      ) : null}
    </>
  );
}
