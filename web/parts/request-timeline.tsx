import { Anchor, Group, Text, Timeline } from '@mantine/core'
import {
  IconArchive,
  IconArrowsExchange,
  IconBell,
  IconCoins,
  IconDeviceMobile,
  IconMessage,
  IconMessageCheck,
  IconPhoneIncoming,
  IconPlus,
  IconSend,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { api } from '../api.ts'
import { formatMoney, formatWord, readTime } from '../format.ts'
import { useSession } from '../session.tsx'
import { locale, Trans, t } from '../texts/index.ts'
import type { TimelineEntry } from '../wire.ts'
import { Json } from './json.tsx'
import { Loading } from './loading.tsx'
import { Problem, replacesContent } from './problem.tsx'
import { ActionDetails, titleOfAction } from './request-action.tsx'
import { Status } from './status.tsx'

type Kind = TimelineEntry['kind']
type Entry<K extends Kind> = Extract<TimelineEntry, { kind: K }>

const icons: Record<Kind, ComponentType<{ size?: number }>> = {
  created: IconPlus,
  action: IconUser,
  move: IconArrowsExchange,
  order: IconDeviceMobile,
  answer: IconPhoneIncoming,
  text: IconMessage,
  text_answer: IconMessageCheck,
  callback: IconPhoneIncoming,
  collection: IconCoins,
  event: IconBell,
  delivery: IconWebhook,
  archived: IconArchive,
}

const answers: Record<string, string> = {
  accepted: t('timeline.answers.accepted'),
  successful: t('timeline.answers.successful'),
  failed: t('timeline.answers.failed'),
  unknown: t('timeline.answers.unknown'),
  not_found: t('timeline.answers.not_found'),
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

/** The history of a collection request, oldest first. It updates itself. */
export function RequestTimeline({ request, poll_ms }: { request: number; poll_ms: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['timeline', request],
    queryFn: () => api.get<{ results: TimelineEntry[] }>(`/collectionrequests/${request}/timeline`),
    refetchInterval: poll_ms,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const entries = data.results
  return (
    <Timeline
      active={entries.length - 1}
      bulletSize={26}
      lineWidth={2}
      role="list"
      aria-label={t('requests.details.timeline')}
      classNames={{ item: 'timeline-item' }}
    >
      {entries.map((entry) => {
        const Icon = icons[entry.kind]
        return (
          <Timeline.Item
            key={keyOf(entry)}
            role="listitem"
            bullet={<Icon size={15} />}
            color={colorOf(entry)}
            title={<Title entry={entry} request={request} />}
          >
            <Details entry={entry} request={request} />
          </Timeline.Item>
        )
      })}
    </Timeline>
  )
}

function Title({ entry, request }: { entry: TimelineEntry; request: number }) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
      <Text fz="sm" fw={600} component="div" miw={0} className="any-break">
        {titleOf(entry, request)}
      </Text>
      <Text fz="xs" c="dimmed" component="time" className="numeric" dateTime={entry.at} title={entry.at}>
        {formatClock(entry.at)}
      </Text>
    </Group>
  )
}

function titleOf(entry: TimelineEntry, request: number): ReactNode {
  switch (entry.kind) {
    case 'created':
      return t('requests.requested')
    case 'move':
      return <Status of={entry.to_status} />
    case 'order':
      return t(entry.prompt_sent ? 'timeline.order' : 'timeline.order_silent')
    case 'answer':
      return answers[entry.outcome] ?? formatWord(entry.outcome)
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
      return (
        <Anchor component={Link} to={`/events/${entry.id}`} inherit c="inherit">
          {t('timeline.event', { id: entry.id, type: entry.type })}
        </Anchor>
      )
    case 'delivery':
      return <DeliveryTitle delivery={entry} />
  }
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

function Details({ entry, request }: { entry: TimelineEntry; request: number }) {
  switch (entry.kind) {
    case 'move':
      return <DetailText>{entry.note}</DetailText>
    case 'order':
      return (
        <DetailText>{t('timeline.order_detail', { network: entry.network, reference: entry.reference })}</DetailText>
      )
    case 'answer':
      return <DetailText>{entry.message}</DetailText>
    case 'text':
      return (
        <>
          <DetailText>“{entry.body}”</DetailText>
          <DetailText>{entry.problem && t('timeline.sms.problem', { problem: entry.problem })}</DetailText>
        </>
      )
    case 'text_answer':
      return <DetailText>{entry.message}</DetailText>
    case 'action':
      return <ActionDetails action={entry.action} request={request} />
    case 'callback':
      return <Callback callback={entry} />
    case 'collection':
      return (
        <DetailText>
          <Trans
            i18nKey="timeline.collection"
            values={{ id: entry.id, remote_id: entry.remote_transaction_id }}
            components={{ a: <Anchor component={Link} to={`/collections/${entry.id}`} fz="xs" underline="always" /> }}
          />
        </DetailText>
      )
    case 'delivery':
      return <Delivery delivery={entry} />
    default:
      return null
  }
}

function Callback({ callback }: { callback: Entry<'callback'> }) {
  return (
    <>
      <DetailText>{!callback.verified && t('timeline.read_back')}</DetailText>
      <DetailText>{callback.note}</DetailText>
      <details className="more">
        <summary>{t('timeline.callback_content')}</summary>
        <Json value={readJson(callback.body)} label={t('timeline.callback_label')} />
      </details>
    </>
  )
}

function DeliveryTitle({ delivery: { webhook, event, state } }: { delivery: Entry<'delivery'> }) {
  const { may } = useSession()
  const words = t('timeline.delivery', { webhook, state: formatWord(state) })
  if (!may('manage_organization')) return <>{words}</>
  return (
    <Anchor component={Link} to={`/deliveries/${webhook}/${event}`} inherit c="inherit">
      {words}
    </Anchor>
  )
}

function Delivery({ delivery }: { delivery: Entry<'delivery'> }) {
  return (
    <>
      <DetailText>{t('timeline.delivery_to', { event: delivery.event, target: delivery.target })}</DetailText>
      {delivery.attempts.map(({ attempt, status, failure, duration_ms, at }) => (
        <DetailText key={attempt}>
          <IconSend size={11} aria-hidden />{' '}
          {t('timeline.attempt', {
            attempt,
            time: formatClock(at),
            result: status === null ? describeFailure(failure) : t('timeline.http', { status }),
            duration_ms,
          })}
        </DetailText>
      ))}
    </>
  )
}

function describeFailure(failure: string | null): string {
  return failures[failure ?? ''] ?? formatWord(failure ?? 'unknown')
}

function DetailText({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <Text fz="xs" c="dimmed" component="div" className="any-break">
      {children}
    </Text>
  )
}

/** A key that is unique in a timeline: a request enters each status once. */
function keyOf(entry: TimelineEntry): string {
  const { kind, at } = entry
  if (kind === 'move') return entry.to_status
  if (kind === 'delivery') return `${kind} ${entry.event} ${entry.webhook}`
  if (kind === 'event' || kind === 'collection') return `${kind} ${entry.id}`
  if (kind === 'text') return `${kind} ${entry.purpose} ${at}`
  if (kind === 'action') return `${kind} ${entry.action.id}`
  if (kind === 'text_answer') return `${kind} ${entry.purpose} ${entry.connection} ${entry.outcome} ${at}`
  if (kind === 'callback') return `${kind} ${entry.id}`
  return kind === 'order' ? entry.reference : `${kind} ${at}`
}

function colorOf(entry: TimelineEntry): string {
  if (entry.kind === 'move') return { successful: 'green', failed: 'red', expired: 'gray' }[entry.to_status] ?? 'blue'
  if (entry.kind === 'delivery') return { delivered: 'green', failed: 'red' }[entry.state] ?? 'yellow'
  if (entry.kind === 'answer' && entry.outcome === 'failed') return 'red'
  if (entry.kind === 'text') return entry.problem ? 'red' : 'gray'
  if (entry.kind === 'text_answer') return { delivered: 'green', failed: 'orange' }[entry.outcome] ?? 'gray'
  if (entry.kind === 'collection') return 'green'
  return 'gray'
}

const clockFormat = new Intl.DateTimeFormat(locale, {
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  hourCycle: 'h23',
})

function formatClock(wire: string): string {
  const date = readTime(wire)
  return date ? clockFormat.format(date) : wire
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
