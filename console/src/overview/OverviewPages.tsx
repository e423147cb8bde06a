import { Loading, useGetList, useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router-dom';
import { PageHeading } from '../app/PageHeading';
import { Nothing } from '../app/unread/Nothing';
import { allPrograms } from '../time/ProgramZone';
import { ZoneContext } from '../time/ZoneContext';
import { FirstSteps } from './FirstSteps';
import { Overview } from './Overview';
import type { OverviewProgram } from './overviewProgram';
import { PeriodBar } from './PeriodBar';
import { periodOf } from './period';

/** What happens in a program: the page that the console begins with. Program and period are in the address. */
export default function OverviewPages() {
  const translate = useTranslate();
  const [search] = useSearchParams();
  const { data, isPending } = useGetList<OverviewProgram>('programs', allPrograms);
  if (isPending) return <Loading />;
  const programs = data ?? [];
  const program = programs.find(({ id }) => id === search.get('program')) ?? programs[0];
  const zone = program?.timezone ?? 'UTC';
  const period = periodOf(search, zone, Date.now());
  return (
    <ZoneContext zone={zone}>
      <PageHeading
        title={translate('menu.overview')}
        text={
          program ? (
            translate('overview.text', { name: program.name, zone })
          ) : (
            <Nothing>{translate('overview.none')}</Nothing>
          )
        }
        actions={program ? <PeriodBar programs={programs} program={program} period={period} /> : null}
      />
      <FirstSteps hasProgram={program !== undefined} />
      {program ? <Overview program={program} period={period} /> : null}
    </ZoneContext>
  );
}
