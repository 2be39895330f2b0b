import { Badge } from '@mantine/core'
import { formatWord } from '../format.ts'
import type { StateNoun } from '../texts/agreement.ts'

/** The colors of states. A state that is not listed is in progress. */
const colors: Record<string, string> = {
  successful: 'green',
  paid: 'green',
  closed: 'gray',
  completed: 'green',
  delivered: 'green',
  sent: 'green',
  active: 'green',
  assigned: 'green',
  processed: 'green',
  applied: 'green',
  confirmed: 'green',
  complete: 'green',
  success: 'green',
  healthy: 'green',
  passed: 'green',
  given: 'green',
  resolved: 'green',
  explained: 'gray',
  asked: 'yellow',
  failed: 'red',
  unknown: 'orange',
  error: 'red',
  rejected: 'red',
  refused: 'red',
  left_out: 'gray',
  processed_with_errors: 'orange',
  cancelled: 'gray',
  revoked: 'gray',
  withdrawn: 'gray',
  superseded: 'gray',
  expired: 'gray',
  aborted: 'gray',
  inactive: 'gray',
  draft: 'gray',
  ended: 'gray',
  stopped: 'gray',
  reversed: 'orange',
  returned: 'orange',
  overdue: 'orange',
  issued: 'blue',
  part: 'yellow',
  void: 'gray',
  partly_returned: 'orange',
  partly_paid: 'orange',
  degraded: 'orange',
  pending: 'yellow',
  waiting: 'yellow',
  approval_needed: 'yellow',
  awaiting_approval: 'yellow',
  approval_requested: 'yellow',
  parked: 'yellow',
  paused: 'yellow',
  unassigned: 'yellow',
}

/**
 * State with its color.
 * @param props.noun noun with which its words agree
 * @param props.label its words, if they differ from its code's
 */
export function Status(props: { state: string; noun?: StateNoun | undefined; label?: string }) {
  const { state, noun, label = formatWord(state, noun) } = props
  return (
    <Badge data-status={state} variant="dot" color={colors[state] ?? 'blue'} tt="none" fw={500} miw="max-content">
      {label}
    </Badge>
  )
}
