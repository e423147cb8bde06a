import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { useNotify, useTranslate } from 'react-admin';
import { client } from '../api/client';
import { faultText } from '../api/faultText';
import { useRefreshRules, type useRuleSetStatus } from '../rules/api/ruleApi';
import { FaultList } from '../rules/parts/FaultList';
import { may } from '../session/session';

type Status = NonNullable<ReturnType<typeof useRuleSetStatus>['data']>;

/** Most rules that are set aside on the page. */
const shownMax = 50;

/** What one must know of the rules in force: which rules a rollback set aside, and faults of the files. */
export function HeldRules({ status }: { status: Status }) {
  const translate = useTranslate();
  const { files, errors } = status;
  const aside = (['changed', 'added', 'removed'] as const).flatMap((kind) =>
    (files?.[kind] ?? []).map(({ program, key }) => ({ program, key, kind })),
  );
  return (
    <>
      {aside.length > 0 ? (
        <Alert severity="warning" sx={{ mb: 2 }}>
          <Typography>{translate('rulesets.held')}</Typography>
          {aside.slice(0, shownMax).map(({ program, key, kind }) => (
            <AsideRule key={`${program} ${key}`} program={program} rule={key} kind={kind} />
          ))}
          {aside.length > shownMax ? translate('rulesets.more', { count: aside.length - shownMax }) : null}
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

interface AsideRuleProps {
  program: string;
  /** Its key. */
  rule: string;
  /** What its file would change. */
  kind: 'added' | 'changed' | 'removed';
}

/** A rule that is set aside, with the button that puts what its file has into force. */
function AsideRule({ program, rule, kind }: AsideRuleProps) {
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefreshRules();
  const name = `${program}/${rule}`;
  const restoring = useMutation({
    mutationFn: () => result(client.POST('/api/v1/rulesets/restore', { body: { rules: [{ program, key: rule }] } })),
    onSuccess: async ({ version }) => {
      notify(translate('rulesets.rollback.done', { version }), { type: 'success' });
      await refresh();
    },
  });
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
      <Typography sx={{ overflowWrap: 'anywhere' }}>
        {name}: {translate(`rulesets.aside.${kind}`)}
      </Typography>
      {may('cache:refresh') ? (
        <Button
          size="small"
          loading={restoring.isPending}
          aria-label={translate('rulesets.aside.label', { name })}
          onClick={() => restoring.mutate()}
        >
          {translate('rulesets.aside.restore')}
        </Button>
      ) : null}
      {restoring.error ? <Alert severity="error">{faultText(restoring.error, translate)}</Alert> : null}
    </Stack>
  );
}
