import {
  IconArrowsExchange,
  IconArrowUpRight,
  IconBell,
  IconPhoneIncoming,
  IconPlus,
  IconUserCheck,
  IconWebhook,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { formatTime } from '../../format.ts'
import { t } from '../../texts/index.ts'
import type { PaymentTimelineEntry } from '../../wire.ts'
import { Loading } from '../loading.tsx'
import { Problem, replacesContent } from '../problem.tsx'
import { Status } from '../status.tsx'
import { Details, PayoutOrderDetails } from './details.tsx'
import { keyOf } from './entries.ts'
import { DetailText, type Line, Lines } from './lines.tsx'
import { titleOf, wordOfAnswer } from './words.tsx'

const icons: Record<PaymentTimelineEntry['kind'], Line['icon']> = {
  created: IconPlus,
  payment_move: IconArrowsExchange,
  approval: IconUserCheck,
  payout_order: IconArrowUpRight,
  payout_answer: IconPhoneIncoming,
  callback: IconPhoneIncoming,
  event: IconBell,
  delivery: IconWebhook,
}

/** The history of a payment, oldest first. It updates itself. */
export function PaymentTimeline({ payment }: { payment: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['/payments', String(payment), 'timeline'],
    queryFn: () => api.get<{ results: PaymentTimelineEntry[] }>(`/payments/${payment}/timeline`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const lines = data.results.map((entry) => ({
    key: keyOfPayment(entry),
    icon: icons[entry.kind],
    color: colorOf(entry),
    at: entry.at,
    title: titleOfPayment(entry),
    details: <PaymentDetails entry={entry} />,
  }))
  // Approvals may take days.
  return <Lines label={t('payments.timeline.title')} lines={lines} format={formatTime} />
}

function titleOfPayment(entry: PaymentTimelineEntry): ReactNode {
  switch (entry.kind) {
    case 'created':
      return t('payments.timeline.created', { name: entry.author_name })
    case 'payment_move':
      return <Status state={entry.to_state} noun="payment" />
    case 'approval':
      return t('payments.timeline.approval', { name: entry.name })
    case 'payout_order':
      return t('payments.timeline.order', { phonenumber: entry.phonenumber })
    case 'payout_answer':
      return entry.outcome === 'successful' ? t('payments.timeline.arrived') : wordOfAnswer(entry.outcome)
    default:
      return titleOf(entry, 0)
  }
}

function PaymentDetails({ entry }: { entry: PaymentTimelineEntry }) {
  switch (entry.kind) {
    case 'created':
      return null
    case 'payment_move':
      return (
        <>
          <DetailText>{entry.by && t('payments.timeline.by', { name: entry.by })}</DetailText>
          <DetailText>{entry.note}</DetailText>
        </>
      )
    case 'approval':
      return <DetailText>{t('payments.approvals_given', { count: entry.required, given: entry.number })}</DetailText>
    case 'payout_order':
      return <PayoutOrderDetails network={entry.network} reference={entry.reference} />
    case 'payout_answer':
      return (
        <>
          <DetailText>{entry.phonenumber}</DetailText>
          <DetailText>{entry.message}</DetailText>
        </>
      )
    default:
      return <Details item={{ key: keyOf(entry), entry, events: [] }} request={0} />
  }
}

/** Return a key that is unique in the timeline of a payment, which may enter a state more than once. */
function keyOfPayment(entry: PaymentTimelineEntry): string {
  const { kind, at } = entry
  switch (kind) {
    case 'created':
      return kind
    case 'payment_move':
      return `${kind} ${entry.to_state} ${at}`
    case 'approval':
      return `${kind} ${entry.user}`
    case 'payout_order':
      return `${kind} ${entry.reference}`
    case 'payout_answer':
      return `${kind} ${entry.reference} ${entry.outcome} ${at}`
    default:
      return keyOf(entry)
  }
}

const stateColors: Record<string, string> = {
  approved: 'green',
  processed: 'green',
  processed_with_errors: 'orange',
  rejected: 'red',
  cancelled: 'gray',
}

function colorOf(entry: PaymentTimelineEntry): string {
  if (entry.kind === 'payment_move') return stateColors[entry.to_state] ?? 'blue'
  if (entry.kind === 'approval') return 'green'
  if (entry.kind === 'payout_answer') return { successful: 'green', failed: 'red' }[entry.outcome] ?? 'gray'
  if (entry.kind === 'delivery') return { delivered: 'green', failed: 'red' }[entry.state] ?? 'yellow'
  return 'gray'
}
