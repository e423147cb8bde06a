/** Messages of the frame of the console, in English. */
export const app = {
  console: { name: 'Loyalty console', short: 'Loyalty', menu: 'Parts of the console', language: 'Language' },
  menu: {
    overview: 'Overview',
    members: 'Members',
    rules: 'Rules',
    definitions: 'Definitions',
    operations: 'Operations',
    audit: 'Audit',
  },
  signIn: {
    title: 'Sign in',
    username: 'Username',
    password: 'Password',
    submit: 'Sign in',
    or: 'or',
    oidc: 'Sign in with your company account',
    fault: {
      wrong: 'The username or the password is wrong.',
      begin: 'This sign-in has ended or was refused. Begin again.',
      noRole: 'Your account has no role here. Ask an administrator.',
      often: 'Too many attempts. Wait some minutes, then try again.',
      away: 'The service does not answer right now. Try again in a moment.',
      lost: 'The service cannot be reached. Check your connection, then try again.',
    },
    again: {
      title: 'Your session has ended',
      text: 'Sign in again to go on. Nothing that you typed is lost.',
      leave: 'Leave without saving',
    },
  },
  account: {
    title: 'Your password',
    oidc: 'You sign in with your company account, so your password is changed there.',
    current: 'Current password',
    new: 'New password',
    rule: '10 to 200 characters. Your other sessions end.',
    change: 'Change the password',
    changed: 'The password is changed.',
    wrong: 'The current password is wrong.',
  },
  page: {
    forbidden: {
      title: 'This is not for your role',
      text: 'Your role may not see this page. Ask an administrator if you need it.',
    },
    notFound: {
      title: 'There is no such page',
      text: 'The address may be misspelled. Use the menu or press Ctrl+K to find what you look for.',
    },
    failed: {
      title: 'This page could not be shown',
      text: 'Load the page again. If it fails again, tell an operator.',
    },
    signedIn: { title: 'You are signed in', text: 'You can close this tab and go on in the other one.' },
  },
  palette: {
    open: 'Find',
    title: 'Go to…',
    none: 'Nothing with this name',
    pages: 'Pages',
    definitions: 'Definitions',
    new: 'New',
    newOne: 'New: %{name}',
    findMember: 'Find the member %{text}',
  },
};
