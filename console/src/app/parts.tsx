import FactCheckIcon from '@mui/icons-material/FactCheckOutlined';
import GroupIcon from '@mui/icons-material/GroupOutlined';
import InsightsIcon from '@mui/icons-material/InsightsOutlined';
import MonitorHeartIcon from '@mui/icons-material/MonitorHeartOutlined';
import RuleIcon from '@mui/icons-material/RuleOutlined';
import TuneIcon from '@mui/icons-material/TuneOutlined';
import type { ComponentType } from 'react';
import { lazyPage } from './lazyPage';

/** An entry of the menu: a part of the console with pages of its own. */
export interface ConsolePart {
  /** Its message is `menu.<name>`. */
  name: string;
  /** The path of its first page, below `/console`. */
  path: string;
  /** Further paths that belong to it. */
  alsoAt?: readonly string[];
  /** Who has one of these permissions sees it. */
  permissions: readonly string[];
  Icon: ComponentType;
  /** Its pages: routes below each of its paths. Loaded when it is first opened. */
  Pages: ComponentType;
}

/** Every part of the console, in the order of the menu. */
export const parts: readonly ConsolePart[] = [
  {
    name: 'overview',
    path: '/',
    permissions: ['forecasts:read'],
    Icon: InsightsIcon,
    Pages: lazyPage(() => import('../overview/OverviewPages')),
  },
  {
    name: 'members',
    path: '/members',
    alsoAt: ['/activities'],
    permissions: ['members:read'],
    Icon: GroupIcon,
    Pages: lazyPage(() => import('../members/MembersPages')),
  },
  {
    name: 'rules',
    path: '/rules',
    alsoAt: ['/rulesets', '/simulations', '/proposals'],
    permissions: ['rules:read'],
    Icon: RuleIcon,
    Pages: lazyPage(() => import('../rules/RulesPages')),
  },
  {
    name: 'definitions',
    path: '/definitions',
    permissions: ['programs:read'],
    Icon: TuneIcon,
    Pages: lazyPage(() => import('../definitions/DefinitionsPages')),
  },
  {
    name: 'operations',
    path: '/operations',
    permissions: ['jobs:read'],
    Icon: MonitorHeartIcon,
    Pages: lazyPage(() => import('../operations/OperationsPages')),
  },
  {
    name: 'audit',
    path: '/audit',
    permissions: ['auditlog:read'],
    Icon: FactCheckIcon,
    Pages: lazyPage(() => import('../audit/AuditPages')),
  },
];
