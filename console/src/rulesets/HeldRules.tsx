import Alert from '@mui/material/Alert';
import { useTranslate } from 'react-admin';
import type { useRuleSetStatus } from '../rules/api/ruleApi';
import { FaultList } from '../rules/parts/FaultList';

type Status = NonNullable<ReturnType<typeof useRuleSetStatus>['data']>;

/** What one must know of the rules in force: that a rollback holds them, and faults of the files. */
export function HeldRules({ status }: { status: Status }) {
  const translate = useTranslate();
  const { held = [], rollbackOf, errors } = status;
  return (
    <>
      {held.length > 0 && rollbackOf !== undefined ? (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {translate('rulesets.held', { version: rollbackOf, programs: held.join(', ') })}
        </Alert>
      ) : null}
      {errors.length > 0 ? (
        <Alert severity="error" sx={{ mb: 2 }}>
          {translate('rules.list.faults')}
          <FaultList faults={errors.slice(0, 10)} />
        </Alert>
      ) : null}
    </>
  );
}
