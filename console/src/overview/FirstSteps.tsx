import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Step from '@mui/material/Step';
import StepContent from '@mui/material/StepContent';
import StepLabel from '@mui/material/StepLabel';
import Stepper from '@mui/material/Stepper';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { setGuided } from './guided';
import { useFirstSteps } from './useFirstSteps';

/** A guide for who begins: program, purse, rule, member, first points. It is gone once there are points. */
export function FirstSteps({ hasProgram }: { hasProgram: boolean }) {
  const translate = useTranslate();
  const steps = useFirstSteps(hasProgram);
  if (!steps || steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card component="section" aria-labelledby="first-steps" sx={{ p: 2, mb: 2 }}>
      <Typography variant="h2" id="first-steps" gutterBottom>
        {translate('overview.first.title')}
      </Typography>
      <Stepper orientation="vertical" activeStep={steps.findIndex(({ isDone }) => !isDone)}>
        {steps.map(({ name, isDone, to }) => (
          <Step key={name} completed={isDone}>
            <StepLabel>{translate(`overview.first.${name}.title`)}</StepLabel>
            <StepContent>
              <Typography gutterBottom>{translate(`overview.first.${name}.text`)}</Typography>
              <Button component={Link} to={to} variant="contained" size="small" onClick={() => setGuided(true)}>
                {translate(`overview.first.${name}.go`)}
              </Button>
            </StepContent>
          </Step>
        ))}
      </Stepper>
    </Card>
  );
}
