import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Step from '@mui/material/Step';
import StepContent from '@mui/material/StepContent';
import StepLabel from '@mui/material/StepLabel';
import Stepper from '@mui/material/Stepper';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { may } from '../session/session';
import type { OverviewProgram } from './overviewProgram';
import { useHasAny } from './useHasAny';

/** A guide for who begins: program, purse, rule, first points. It is gone once there are points. */
export function FirstSteps({ program }: { program: OverviewProgram | undefined }) {
  const translate = useTranslate();
  // Who has points has all before them, so the others are only asked when there are none.
  const points = useHasAny('journal', may('journal:read'));
  const purses = useHasAny('pursepolicies', points === false);
  const rules = useHasAny('rules', points === false && may('rules:read'));
  if (points !== false || purses === undefined || rules === undefined) return null;
  const steps = [
    { name: 'program', isDone: program !== undefined, to: '/definitions/programs/create' },
    { name: 'purse', isDone: purses, to: '/definitions/pursepolicies/create' },
    { name: 'rule', isDone: rules, to: '/rules' },
    { name: 'points', isDone: points, to: '/members' },
  ];
  const active = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Card component="section" aria-labelledby="first-steps" sx={{ p: 2, mb: 2 }}>
      <Typography variant="h2" id="first-steps" gutterBottom>
        {translate('overview.first.title')}
      </Typography>
      <Stepper orientation="vertical" activeStep={active}>
        {steps.map(({ name, isDone, to }) => (
          <Step key={name} completed={isDone}>
            <StepLabel>{translate(`overview.first.${name}.title`)}</StepLabel>
            <StepContent>
              <Typography gutterBottom>{translate(`overview.first.${name}.text`)}</Typography>
              <Button component={Link} to={to} variant="contained" size="small">
                {translate(`overview.first.${name}.go`)}
              </Button>
            </StepContent>
          </Step>
        ))}
      </Stepper>
    </Card>
  );
}
