import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import MuiLink from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router-dom';
import { PageHeading } from '../app/PageHeading';
import { Fault } from '../app/unread/Fault';
import { Nothing } from '../app/unread/Nothing';
import { RulesMenu } from '../rules/parts/RulesMenu';
import { Waiting } from '../rules/parts/Waiting';
import { DateTime } from '../time/DateTime';
import { Progress } from './Progress';
import { useSimulations } from './simulationApi';

/** The page of the simulations of the last 30 days, where those that were left are found again. */
export default function SimulationsPage() {
  const translate = useTranslate();
  const { data, error } = useSimulations();
  return (
    <>
      <PageHeading title={translate('simulations.title')} text={translate('simulations.text')} />
      <RulesMenu at="simulations" />
      <Fault error={error} />
      {data?.length === 0 ? (
        <Alert severity="info">
          <Nothing>{translate('simulations.begin')}</Nothing>
        </Alert>
      ) : null}
      {data && data.length > 0 ? (
        <Card>
          <Box sx={{ overflowX: 'auto' }}>
            <Table size="small">
              <TableHead>
                <TableRow>
                  {['createdAt', 'status', 'from', 'to'].map((column) => (
                    <TableCell key={column}>{translate(`simulations.fields.${column}`)}</TableCell>
                  ))}
                </TableRow>
              </TableHead>
              <TableBody>
                {data.map((simulation) => (
                  <TableRow key={simulation._id} hover>
                    <TableCell component="th" scope="row">
                      <MuiLink component={Link} to={`/simulations/${simulation._id}`}>
                        <DateTime at={simulation.createdAt} />
                      </MuiLink>
                    </TableCell>
                    <TableCell sx={{ minWidth: 160 }}>
                      <Progress simulation={simulation} />
                    </TableCell>
                    <TableCell>
                      <DateTime at={simulation.from} />
                    </TableCell>
                    <TableCell>
                      <DateTime at={simulation.to} />
                    </TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </Box>
        </Card>
      ) : null}
      {data || error ? null : <Waiting />}
    </>
  );
}
