import { app } from './app';
import { audit } from './audit';
import { choices } from './choices';
import { definitions } from './definitions';
import { facts } from './facts';
import { fields } from './fields';
import { frame } from './frame';
import { helps } from './helps';
import { memberFields, members } from './members';
import { operations } from './operations';
import { overview } from './overview';
import { proposals } from './proposals';
import { ruleFields } from './ruleFields';
import { ruleSets } from './ruleSets';
import { rules } from './rules';

/** Every message in German. */
export const german = {
  ...frame,
  ...app,
  ...definitions,
  ...operations,
  ...overview,
  ...audit,
  ...rules,
  ...proposals,
  ...ruleSets,
  choices,
  facts,
  helps,
  ...members,
  fields: { ...ruleFields, ...fields, ...memberFields },
};
