import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { t } from '../texts/index.ts'
import type { RequestAction } from '../wire.ts'
import { refundReasons } from './refund-dialog.tsx'

/** Return the title of an action in the timeline of a request. */
export function titleOfAction({ kind, author_name, collection_request, new_request }: RequestAction, request: number) {
  if (new_request === request)
    return t('requests.action.retry_of', { id: String(collection_request), name: author_name })
  return t(`requests.action.${kind}`, { name: author_name })
}

/** Reason for an action, and its result. */
export function ActionDetails({ action, request }: { action: RequestAction; request: number }) {
  const { reason, comment, prompt } = action
  const [to, label] = madeBy(action, request) ?? []
  return (
    <Text fz="xs" c="dimmed" component="div" className="any-break">
      {reason && <div>{refundReasons[reason] ?? reason}</div>}
      {comment && <div>“{comment}”</div>}
      {prompt && <div>{t('requests.action.prompt')}</div>}
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
  const other = new_request === request ? collection_request : new_request
  if (other !== null) return [`/collectionrequests/${other}`, t('fields.request_id', { id: other })]
  if (payment_link !== null) return [`/payment-links/${payment_link}`, t('requests.action.link', { id: payment_link })]
  return payment === null ? undefined : [`/payments/${payment}`, t('fields.payment_id', { id: payment })]
}
