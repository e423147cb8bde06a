import Alert from '@mui/material/Alert';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { components } from 'loyalty-client/generated/api';
import { useTranslate } from 'react-admin';
import { faultText } from '../../api/faultText';
import { usePurses } from '../../ui/reads';
import { Section } from '../../ui/Section';
import { Balances } from '../page/Balances';
import { Problems } from '../page/Problems';
import { ReturnSteps } from './ReturnSteps';
import type { useReturnPreview } from './useReturnPreview';

interface ReturnPreviewProps {
  activity: components['schemas']['ActivityHistory'];
  isSelected: boolean;
  preview: ReturnType<typeof useReturnPreview>;
}

/** What a return would take, before anything is taken. */
export function ReturnPreview({ activity, isSelected, preview }: ReturnPreviewProps) {
  const translate = useTranslate();
  const { data: before = [] } = usePurses(activity.memberID);
  const { data, error, isStale } = preview;
  const nameOf = (key: string) => activity.ruleMatch.find((each) => each.key === key)?.name ?? key;
  const title = translate('activities.return.preview');
  return (
    <Section title={title}>
      {isSelected ? (
        <div aria-live="polite" aria-busy={isStale}>
          <LinearProgress
            aria-label={translate('ra.page.loading')}
            aria-hidden={!isStale}
            sx={{ visibility: isStale ? 'visible' : 'hidden' }}
          />
          {error ? <Alert severity="error">{faultText(error, translate)}</Alert> : null}
          {data && !error ? (
            <>
              <Problems errors={data.result.errors} />
              {data.member ? <Balances before={before} after={data.member.purses} /> : null}
              <ReturnSteps entries={data.result.log?.entries ?? []} nameOf={nameOf} />
            </>
          ) : null}
        </div>
      ) : (
        <Typography color="textSecondary">{translate('activities.return.choose')}</Typography>
      )}
    </Section>
  );
}
