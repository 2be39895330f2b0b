import { formatTimestamp } from '../../../lib/time.ts'
import type { Notice } from '../notices.ts'
import type { ControlChange } from './control-change.ts'

/** Describes the new state of a change for its mail. @param concerns the mail address of the person whom it concerns */
export function noticeOfChange(change: ControlChange, concerns: string | null): Notice {
  const author = change.author_name ?? 'An operator'
  const decider = change.decided_by_name ?? 'An operator'
  const [what, follow_up] = {
    pending: [
      `${author} asks for a change`,
      `It waits for a second manager until ${change.expires && formatTimestamp(change.expires)}.`,
    ],
    applied: [`${author} has made a change`, 'It is now in effect.'],
    confirmed: [`${decider} has confirmed a change`, `${author} asked for it. It is now in effect.`],
    rejected: [`${decider} has rejected a change`, `${author} asked for it. Nothing has changed.`],
    withdrawn: [`${author} has withdrawn a change`, 'Nothing has changed.'],
    expired: ['A change has expired', 'Nothing has changed.'],
  }[change.state] as [string, string]
  return {
    what,
    paragraphs: [change.description, follow_up],
    page: { name: 'All changes', path: 'changes' },
    reason: 'manage the organization, approve its payments, or because the change concerns you',
    concerns,
  }
}
