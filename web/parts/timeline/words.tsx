import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { nameEvent } from '../../event-types.ts'
import { formatMoney, formatWord } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { TimelineEntry } from '../../wire.ts'
import { titleOfAction } from '../request-action.tsx'
import { Status } from '../status.tsx'
import type { Entry } from './entries.ts'

const answers: Record<string, string> = {
  accepted: t('timeline.answers.accepted'),
  successful: t('timeline.answers.successful'),
  failed: t('timeline.answers.failed'),
  unknown: t('timeline.answers.unknown'),
  not_found: t('timeline.answers.not_found'),
  reversed: t('timeline.answers.reversed'),
}

/** Reasons for failed orders, in words for people. */
const reasons: Record<string, string> = {
  cancelled: t('timeline.reasons.cancelled'),
  wrong_pin: t('timeline.reasons.wrong_pin'),
  insufficient_funds: t('timeline.reasons.insufficient_funds'),
  limit_reached: t('timeline.reasons.limit_reached'),
  payer_not_found: t('timeline.reasons.payer_not_found'),
  payee_not_found: t('timeline.reasons.payee_not_found'),
  not_allowed: t('timeline.reasons.not_allowed'),
  prompt_expired: t('timeline.reasons.prompt_expired'),
  unreachable: t('timeline.reasons.unreachable'),
  rejected: t('timeline.reasons.rejected'),
}

const texts: Record<string, string> = {
  success: t('timeline.sms.success'),
  reminder: t('timeline.sms.reminder'),
  payment_link: t('timeline.sms.payment_link'),
}

const failures: Record<string, string> = {
  timeout: t('timeline.failures.timeout'),
  dns: t('timeline.failures.dns'),
  tls: t('timeline.failures.tls'),
  refused: t('timeline.failures.refused'),
  private_address: t('timeline.failures.private_address'),
  too_large: t('timeline.failures.too_large'),
}

/** Return the title of an entry, in words for people. */
export function titleOf(entry: TimelineEntry, request: number): ReactNode {
  switch (entry.kind) {
    case 'created':
      return t('requests.requested')
    case 'move':
      return <Status state={entry.to_status} noun="collectionrequest" />
    case 'order':
      return t(entry.prompt_sent ? 'timeline.order' : 'timeline.order_silent')
    case 'answer':
      return reasons[entry.reason ?? ''] ?? wordOfAnswer(entry.outcome)
    case 'text':
      return texts[entry.purpose] ?? t('timeline.sms.instructions')
    case 'action':
      return titleOfAction(entry.action, request)
    case 'text_answer':
      return titleOfSmsAnswer(entry)
    case 'callback':
      return t(entry.verified ? 'timeline.callback' : 'timeline.callback_unverified')
    case 'collection':
      return t('timeline.received', { amount: formatMoney(entry.amount, entry.currency) })
    case 'archived':
      return t('timeline.archived')
    case 'event':
      return <EventLink event={entry} />
    case 'delivery':
      return <DeliveryTitle delivery={entry} />
  }
}

/** Return the meaning of a network's answer. */
export function wordOfAnswer(outcome: string): string {
  return answers[outcome] ?? formatWord(outcome)
}

function titleOfSmsAnswer({ connection, outcome }: Entry<'text_answer'>): string {
  switch (outcome) {
    case 'sent':
    case 'delivered':
    case 'failed':
      return t(`timeline.sms_answers.${outcome}`, { connection })
    default:
      return t('timeline.sms_answers.unknown', { connection })
  }
}

export function EventLink({ event: { id, type } }: { event: Entry<'event'> }) {
  return (
    <Anchor component={Link} to={`/events/${id}`} inherit c="inherit" underline="always">
      {t('timeline.event', { id, type: nameEvent(type) })}
    </Anchor>
  )
}

function DeliveryTitle({ delivery: { webhook, event, state } }: { delivery: Entry<'delivery'> }) {
  const { may } = useSession()
  const words = t('timeline.delivery', { webhook, state: formatWord(state) })
  if (!may('manage_integrations')) return <>{words}</>
  return (
    <Anchor component={Link} to={`/deliveries/${webhook}/${event}`} inherit c="inherit">
      {words}
    </Anchor>
  )
}

/** Return the reason why a webhook could not be delivered. */
export function describeFailure(failure: string | null): string {
  return failures[failure ?? ''] ?? formatWord(failure ?? 'unknown')
}
