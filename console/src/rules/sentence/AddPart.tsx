import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { RuleFields } from '../draft/parsedRule';
import type { Change } from '../draft/ruleText';
import { useRuleForm } from '../inputs/RuleFormContext';
import { actionTypes } from '../schema/knownFacts';
import { newAction } from '../schema/newAction';
import { AddCondition } from './AddCondition';

type Added = 'effect' | 'condition' | 'more';

/** Adds a part to the sentence: what the rule gives, a condition, days, dates, limits. */
export function AddPart({ rule }: { rule: RuleFields }) {
  const translate = useTranslate();
  const [open, setOpen] = useState<{ what: Added; at: HTMLElement }>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', mt: 1.5 }}>
        {(['effect', 'condition', 'more'] as const).map((what) => (
          <Button
            key={what}
            size="small"
            startIcon={<AddIcon />}
            aria-haspopup={what === 'condition' ? 'dialog' : 'menu'}
            onClick={({ currentTarget: at }) => setOpen({ what, at })}
          >
            {translate(`rules.sentence.add.${what}`)}
          </Button>
        ))}
      </Stack>
      {open?.what === 'condition' ? <AddCondition rule={rule} onClose={close} /> : null}
      <Parts at={open?.what === 'effect' ? open.at : undefined} rule={rule} of="effect" onClose={close} />
      <Parts at={open?.what === 'more' ? open.at : undefined} rule={rule} of="more" onClose={close} />
    </>
  );
}

interface PartsProps {
  /** The button below which the menu opens; undefined while it is closed. */
  at: HTMLElement | undefined;
  rule: RuleFields;
  of: 'effect' | 'more';
  onClose(): void;
}

function Parts({ at, rule, of, onClose }: PartsProps) {
  const { change } = useRuleForm();
  const parts = useParts(rule, of);
  return (
    <Menu open={at !== undefined} anchorEl={at ?? null} onClose={onClose}>
      {parts.map(({ name, label, added }) => (
        <MenuItem
          key={name}
          onClick={() => {
            onClose();
            change(added());
          }}
        >
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

interface NewPart {
  name: string;
  label: string;
  added(): Change;
}

/** What can be added: effects by their types, or the parts that the rule does not have yet. */
function useParts(rule: RuleFields, of: 'effect' | 'more'): NewPart[] {
  const translate = useTranslate();
  const { schema } = useRuleForm();
  const count = (list: unknown) => (Array.isArray(list) ? list.length : 0);
  if (of === 'effect') {
    return actionTypes(schema).map(({ name }) => ({
      name,
      label: translate(`rules.actions.${name}`, { _: name }),
      added: () => ({ path: ['actions', count(rule.actions)], value: newAction(schema, name) }),
    }));
  }
  const single = (['hours', 'effective', 'budget'] as const).filter((name) => rule[name] === undefined);
  return [
    ...single.map((name) => ({
      name,
      label: translate(`rules.sentence.names.${name}`),
      added: () => ({ path: [name], value: begun[name]() }),
    })),
    {
      name: 'limit',
      label: translate('rules.sentence.names.limit'),
      added: () => ({ path: ['limits', count(rule.limits)], value: newLimit }),
    },
  ];
}

/** What a new part begins with, so that it can be read at once. */
const begun = {
  hours: () => ({ days: ['Tue'] }),
  effective: () => nextMonth(new Date()),
  budget: () => ({ points: 10_000 }),
};

const newLimit = { what: 'points', per: 'member', period: 'month', max: 500, onExceed: 'reduce' };

/** The whole month after this one. */
function nextMonth(now: Date): { from: string; to: string } {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { from: day(new Date(Date.UTC(year, month + 1, 1))), to: day(new Date(Date.UTC(year, month + 2, 0))) };
}
