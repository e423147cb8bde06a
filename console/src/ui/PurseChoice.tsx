import { useTranslate } from 'react-admin';
import { Choice } from './Choice';
import type { Member } from './memberName';

interface PurseChoiceProps {
  member: Member;
  value: string;
  onChoose(policyId: string): void;
}

/** A filter by one purse of a member. */
export function PurseChoice({ member, value, onChoose }: PurseChoiceProps) {
  const translate = useTranslate();
  const choices = member.purses.map(({ policyId, name }) => [policyId, name] as const);
  const known = choices.some(([policyId]) => policyId === value) ? value : '';
  return <Choice label={translate('members.page.purse')} value={known} choices={choices} onChoose={onChoose} />;
}
