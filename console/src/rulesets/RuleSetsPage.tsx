import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Chip from '@mui/material/Chip';
import MuiLink from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TablePagination from '@mui/material/TablePagination';
import TableRow from '@mui/material/TableRow';
import { useLocale, useTranslate } from 'react-admin';
import { Link, useSearchParams } from 'react-router-dom';
import { PageHeading } from '../app/PageHeading';
import { Fault } from '../app/unread/Fault';
import { Nothing } from '../app/unread/Nothing';
import { useRuleSetStatus } from '../rules/api/ruleApi';
import { RulesMenu } from '../rules/parts/RulesMenu';
import { Waiting } from '../rules/parts/Waiting';
import { DateTime } from '../time/DateTime';
import { HeldRules } from './HeldRules';
import { useVersions, type Version, versionsPerPage } from './ruleSetApi';
import { VersionActions } from './VersionActions';

/** Left out where a phone has no room beside what can be done. */
const wide = { display: { xs: 'none', md: 'table-cell' } };

const columns = ['version', 'state', 'publishedAt', 'from', 'rules'] as const;

/** The page of all versions of the rules: what is in force, what waits, and what was. */
export default function RuleSetsPage() {
  const translate = useTranslate();
  const [search, setSearch] = useSearchParams();
  const page = Math.max(Number(search.get('page') ?? 1), 1);
  const { data, error } = useVersions(page);
  const status = useRuleSetStatus();
  return (
    <>
      <PageHeading title={translate('rulesets.title')} text={translate('rulesets.text')} />
      <RulesMenu at="rulesets" />
      <Fault error={error} />
      {status.data ? <HeldRules status={status.data} /> : null}
      {data ? (
        <Card>
          <Box sx={{ overflowX: 'auto' }}>
            <Table size="small">
              <TableHead>
                <TableRow>
                  {columns.map((column) => (
                    <TableCell key={column} sx={column === 'from' || column === 'rules' ? wide : undefined}>
                      {translate(`rulesets.fields.${column}`)}
                    </TableCell>
                  ))}
                  <TableCell>{translate('rulesets.fields.actions')}</TableCell>
                </TableRow>
              </TableHead>
              <TableBody>
                {data.versions.map((version) => (
                  <Row key={version._id} version={version} inForce={status.data?.version ?? undefined} />
                ))}
              </TableBody>
            </Table>
          </Box>
          {data.count > versionsPerPage ? (
            <TablePagination
              component="div"
              count={data.count}
              page={page - 1}
              rowsPerPage={versionsPerPage}
              rowsPerPageOptions={[versionsPerPage]}
              onPageChange={(_event, next) => setSearch({ page: String(next + 1) })}
            />
          ) : null}
          {data.versions.length === 0 ? (
            <Alert severity="info">
              <Nothing>{translate('rulesets.begin')}</Nothing>
            </Alert>
          ) : null}
        </Card>
      ) : error ? null : (
        <Waiting />
      )}
    </>
  );
}

function Row({ version, inForce }: { version: Version; inForce: number | undefined }) {
  const locale = useLocale();
  return (
    <TableRow hover>
      <TableCell component="th" scope="row">
        <MuiLink component={Link} to={`/rulesets/${version.version}`}>
          {version.version}
        </MuiLink>
      </TableCell>
      <TableCell>
        <State version={version} inForce={inForce} />
        {version.from ? (
          <Box sx={{ display: { md: 'none' } }}>
            <DateTime at={version.from} />
          </Box>
        ) : null}
      </TableCell>
      <TableCell sx={{ whiteSpace: { md: 'nowrap' } }}>
        <DateTime at={version.publishedAt} />
      </TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap', ...wide }}>
        <DateTime at={version.from} />
      </TableCell>
      <TableCell sx={wide}>{version.rules.toLocaleString(locale)}</TableCell>
      <TableCell>
        <VersionActions version={version} inForce={inForce} />
      </TableCell>
    </TableRow>
  );
}

function State({ version, inForce }: { version: Version; inForce: number | undefined }) {
  const translate = useTranslate();
  if (version.version === inForce)
    return <Chip size="small" color="primary" label={translate('rulesets.state.inForce')} />;
  const { rollbackOf, withdrawnAt, failure, from, adoptedAs } = version;
  if (failure)
    return (
      <Chip size="small" color="error" variant="outlined" label={translate('rulesets.state.failed')} title={failure} />
    );
  if (withdrawnAt) return <>{translate('rulesets.state.withdrawn')}</>;
  if (adoptedAs) return <>{translate('rulesets.state.adopted', { version: adoptedAs })}</>;
  if (rollbackOf) return <>{translate('rulesets.state.rollback', { version: rollbackOf })}</>;
  if (from && version.programs)
    return <Chip size="small" variant="outlined" label={translate('rulesets.state.waits')} />;
  return <>{translate('rulesets.state.past')}</>;
}
