import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { RequestAction } from '../wire.ts'
import { refundReasons } from './refund-dialog.tsx'

const verbs: Record<RequestAction['kind'], string> = {
  reminder: 'Reminder',
  retry: 'Tried again',
  payment_link: 'Payment link',
  refund: 'Refund',
}

/** What a person did, as the title of an entry in the timeline of a request. */
export function titleOfAction({ kind, author_name, collection_request, new_request }: RequestAction, request: number) {
  if (new_request === request) return `Tries request ${collection_request} again, by ${author_name}`
  return `${verbs[kind]} by ${author_name}`
}

/** Why a person did it, and what was made. */
export function ActionDetails({ action, request }: { action: RequestAction; request: number }) {
  const { reason, comment, prompt } = action
  const [to, label] = madeBy(action, request) ?? []
  return (
    <Text fz="xs" c="dimmed" component="div" className="any-break">
      {reason && <div>{refundReasons[reason] ?? reason}</div>}
      {comment && <div>“{comment}”</div>}
      {prompt && <div>The next prompt was brought forward.</div>}
      {to && (
        <Anchor component={Link} to={to} fz="xs" underline="always">
          {label}
        </Anchor>
      )}
    </Text>
  )
}

function madeBy(action: RequestAction, request: number): [to: string, label: string] | undefined {
  const { collection_request, new_request, payment_link, payment } = action
  if (new_request === request) return [`/collectionrequests/${collection_request}`, `Request ${collection_request}`]
  if (new_request !== null) return [`/collectionrequests/${new_request}`, `Request ${new_request}`]
  if (payment_link !== null) return [`/payment-links/${payment_link}`, `Payment link ${payment_link}`]
  return payment === null ? undefined : [`/payments/${payment}`, `Payment ${payment}`]
}
