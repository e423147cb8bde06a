import { Menu, useTranslate } from 'react-admin';
import { useLocation } from 'react-router-dom';
import { may } from '../session/session';
import { type ConsolePart, parts } from './parts';

/** The menu at the side: the parts that the user may see. */
export function ConsoleMenu() {
  const translate = useTranslate();
  const { pathname } = useLocation();
  return (
    <nav aria-label={translate('console.menu')}>
      <Menu>
        {parts
          .filter(({ permissions }) => permissions.some(may))
          .map((part) => (
            <Menu.Item
              key={part.name}
              to={part.path}
              primaryText={translate(`menu.${part.name}`)}
              leftIcon={<part.Icon />}
              {...(isWithin(part, pathname) ? { 'aria-current': 'page', className: 'RaMenuItemLink-active' } : {})}
            />
          ))}
      </Menu>
    </nav>
  );
}

function isWithin({ path, alsoAt = [] }: ConsolePart, pathname: string): boolean {
  return [path, ...alsoAt].some((each) => pathname === each || (each !== '/' && pathname.startsWith(`${each}/`)));
}
