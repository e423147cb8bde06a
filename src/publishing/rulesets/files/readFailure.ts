import { type Message, message } from '#base/common/messages/message';
import { errorCode } from './errorCode';
import { LeavesFolder } from './orgRoot';

const reasons: Record<string, Message> = {
  EACCES: message('ruleFiles.noRight'),
  EPERM: message('ruleFiles.noRight'),
  ELOOP: message('ruleFiles.linksInCircle'),
  ENOENT: message('ruleFiles.removed'),
  EISDIR: message('ruleFiles.isFolder'),
  ENOTDIR: message('ruleFiles.isNoFolder'),
};

/** Why a file or folder is not read, for whoever put it there. */
export function readFailureReason(error: unknown): Message {
  if (error instanceof LeavesFolder) return message('ruleFiles.linkLeadsOut');
  const code = errorCode(error);
  return message('ruleFiles.unreadable', { reason: reasons[code] ?? code });
}
