import { MessagePage } from './MessagePage';

/** The page of a path that the console does not have. */
export function NotFoundPage() {
  return <MessagePage name="notFound" />;
}
