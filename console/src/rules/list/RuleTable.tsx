import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TablePagination from '@mui/material/TablePagination';
import TableRow from '@mui/material/TableRow';
import TableSortLabel from '@mui/material/TableSortLabel';
import Typography from '@mui/material/Typography';
import { useLocale, useTranslate } from 'react-admin';
import { Link, useSearchParams } from 'react-router-dom';
import { DateTime } from '../../time/DateTime';
import { type CoveredRule, type ListedRule, useRuleCoverage } from '../api/ruleApi';
import { StatusChip } from '../parts/StatusChip';
import { TestedCell } from './TestedCell';

/** Rules of one page of the list. */
const rowsPerPage = 50;

const columns = ['name', 'status', 'priority', 'points', 'tests', 'changedAt'] as const;
const numbers: readonly string[] = ['priority', 'points', 'tests'];

/** Rules as a table that can be sorted; 50 on a page. */
export function RuleTable({ rules }: { rules: readonly ListedRule[] }) {
  const translate = useTranslate();
  const [search, setSearch] = useSearchParams();
  const { data: coverage } = useRuleCoverage();
  const covered = new Map(coverage?.rules.map((each) => [`${each.program} ${each.key}`, each]));
  const page = Math.min(Number(search.get('page') ?? 1), Math.ceil(rules.length / rowsPerPage)) - 1;
  const [sort = '', order = ''] = (search.get('sort') ?? '').split(' ');
  const set = (name: string, value: string) =>
    setSearch((before) => new URLSearchParams([...[...before].filter(([each]) => each !== name), [name, value]]));
  const sorted = sort === '' ? rules : [...rules].sort((a, b) => (order === 'desc' ? -1 : 1) * compare(a, b, sort));
  return (
    <>
      <Box sx={{ overflowX: 'auto' }}>
        <Table size="small">
          <TableHead>
            <TableRow>
              {columns.map((column) => (
                <TableCell
                  key={column}
                  align={numbers.includes(column) ? 'right' : 'left'}
                  sortDirection={column === sort ? (order === 'desc' ? 'desc' : 'asc') : false}
                >
                  <TableSortLabel
                    active={column === sort}
                    direction={column === sort && order === 'desc' ? 'desc' : 'asc'}
                    onClick={() =>
                      set('sort', column === sort && order !== 'desc' ? `${column} desc` : `${column} asc`)
                    }
                  >
                    {translate(`rules.fields.${column}`)}
                  </TableSortLabel>
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {sorted.slice(page * rowsPerPage, (page + 1) * rowsPerPage).map((rule) => (
              <Row key={rule._id} rule={rule} covered={covered.get(`${rule.program} ${rule.key}`)} />
            ))}
          </TableBody>
        </Table>
      </Box>
      {rules.length > rowsPerPage ? (
        <TablePagination
          component="div"
          count={rules.length}
          page={page}
          rowsPerPage={rowsPerPage}
          rowsPerPageOptions={[rowsPerPage]}
          onPageChange={(_event, next) => set('page', String(next + 1))}
        />
      ) : null}
    </>
  );
}

function Row({ rule, covered }: { rule: ListedRule; covered: CoveredRule | undefined }) {
  const translate = useTranslate();
  const locale = useLocale();
  const { program, key, name, status, priority, points, rows, sentence, changedAt } = rule;
  return (
    <TableRow hover>
      <TableCell component="th" scope="row" sx={{ minWidth: 280 }}>
        <MuiLink
          component={Link}
          to={`/rules/${encodeURIComponent(program)}/${encodeURIComponent(key)}`}
          sx={{ fontWeight: 600 }}
        >
          {name}
        </MuiLink>
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere', ...twoLines }}>
          {sentence}
        </Typography>
        <Typography variant="caption" color="textSecondary">
          {program} · {key}
          {rows === undefined ? '' : ` · ${translate('rules.list.rows', { smart_count: rows })}`}
        </Typography>
      </TableCell>
      <TableCell>
        <StatusChip status={status} />
      </TableCell>
      <TableCell align="right">{priority.toLocaleString(locale)}</TableCell>
      <TableCell align="right">{points === undefined ? '–' : points.toLocaleString(locale)}</TableCell>
      <TableCell align="right">
        <TestedCell rule={rule} covered={covered} />
      </TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap' }}>
        <DateTime at={changedAt} />
      </TableCell>
    </TableRow>
  );
}

const twoLines = { display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical', overflow: 'hidden' };

function compare(a: ListedRule, b: ListedRule, column: string): number {
  const [one, other] = [a, b].map((rule) => rule[column as (typeof columns)[number]] ?? '');
  return typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));
}
