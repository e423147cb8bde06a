import { activityFaults } from './said/activityFaults';
import { conditionFaults } from './said/conditionFaults';
import { fieldFaults } from './said/fieldFaults';
import { fileFaults } from './said/fileFaults';
import { importFaults } from './said/importFaults';
import { queryFaults } from './said/queryFaults';
import { refusals } from './said/refusals';
import { ruleFaults } from './said/ruleFaults';
import { shapeFaults } from './said/shapeFaults';
import { testFaults } from './said/testFaults';

/**
 * What the service says in English only, such as faults, in German. The console shows the English text where this has
 * none; a test names such texts.
 */
export const said: Readonly<Record<string, string>> = {
  ...shapeFaults,
  ...fieldFaults,
  ...refusals,
  ...queryFaults,
  ...activityFaults,
  ...importFaults,
  ...ruleFaults,
  ...conditionFaults,
  ...fileFaults,
  ...testFaults,
};
