import { Anchor } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatWord } from '../../format.ts'
import { Trans, t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import { Facts } from '../facts.tsx'
import { Json } from '../json.tsx'
import { More } from '../panel.tsx'
import { ActionDetails } from '../request-action.tsx'
import { type Entry, summarizeTries, type TimelineItem } from './entries.ts'
import { DetailText, formatClock } from './lines.tsx'
import { describeFailure, EventLink } from './words.tsx'

/** Details below a line's title, with sent and received data one click away. */
export function Details({ item: { entry, events }, request }: { item: TimelineItem; request: number }) {
  switch (entry.kind) {
    case 'move':
      return (
        <>
          <DetailText>{entry.note}</DetailText>
          <Events events={events} />
        </>
      )
    case 'order':
      return <OrderDetails order={entry} />
    case 'answer':
      return <AnswerDetails answer={entry} />
    case 'text':
      return (
        <>
          <DetailText>“{entry.body}”</DetailText>
          <DetailText>
            {entry.problem && t('timeline.sms.problem', { problem: translateMessage(entry.problem) })}
          </DetailText>
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
        <>
          <DetailText>
            <Trans
              i18nKey="timeline.collection"
              values={{ id: entry.id, remote_id: entry.remote_transaction_id }}
              components={{ a: <Anchor component={Link} to={`/collections/${entry.id}`} fz="xs" underline="always" /> }}
            />
          </DetailText>
          <Events events={events} />
        </>
      )
    case 'delivery':
      return <Delivery delivery={entry} />
    default:
      return null
  }
}

function Events({ events }: { events: readonly Entry<'event'>[] }) {
  if (events.length === 0) return null
  return (
    <More summary={t('timeline.more')}>
      {events.map((event) => (
        <DetailText key={event.id}>
          <EventLink event={event} />
        </DetailText>
      ))}
    </More>
  )
}

function OrderDetails({ order }: { order: Entry<'order'> }) {
  return (
    <More summary={t('timeline.more')}>
      <Facts
        bare
        facts={[
          [t('timeline.wire.connection'), order.network],
          [t('timeline.wire.reference'), order.reference],
          [t('timeline.wire.receiver'), order.receiver],
          [t('timeline.wire.attempt'), order.attempt],
        ]}
      />
    </More>
  )
}

/** An order for a recipient of a payment. */
export function PayoutOrderDetails({ network, reference }: { network: string; reference: string }) {
  return (
    <More summary={t('timeline.more')}>
      <Facts
        bare
        facts={[
          [t('timeline.wire.connection'), network],
          [t('timeline.wire.reference'), reference],
        ]}
      />
    </More>
  )
}

const sources: Record<string, string> = {
  reply: t('timeline.sources.reply'),
  status: t('timeline.sources.status'),
  callback: t('timeline.sources.callback'),
  statement: t('timeline.sources.statement'),
  operator: t('timeline.sources.operator'),
}

function AnswerDetails({ answer }: { answer: Entry<'answer'> }) {
  return (
    <More summary={t('timeline.more')}>
      <Facts
        bare
        facts={[
          [t('timeline.wire.message'), answer.message && translateMessage(answer.message)],
          [t('fields.code'), answer.code],
          [t('timeline.wire.outcome'), formatWord(answer.outcome)],
          [t('timeline.wire.source'), answer.source && (sources[answer.source] ?? answer.source)],
          [t('timeline.wire.connection'), answer.network],
          [t('timeline.wire.reference'), answer.reference],
          [t('timeline.wire.remote_id'), answer.remote_id],
        ]}
      />
    </More>
  )
}

function Callback({ callback }: { callback: Entry<'callback'> }) {
  return (
    <>
      <DetailText>{!callback.verified && t('timeline.read_back')}</DetailText>
      <DetailText>{callback.note}</DetailText>
      <More summary={t('timeline.callback_content')}>
        <Json value={readJson(callback.body)} label={t('timeline.callback_label')} />
      </More>
    </>
  )
}

/** The tries of a delivery in one line. Each is one click away. */
function Delivery({ delivery }: { delivery: Entry<'delivery'> }) {
  return (
    <>
      <DetailText>{t('timeline.delivery_to', { event: delivery.event, target: delivery.target })}</DetailText>
      {delivery.attempts.length > 0 && (
        <More summary={describeTries(delivery)}>
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
        </More>
      )}
    </>
  )
}

function describeTries(delivery: Entry<'delivery'>): string {
  const { failed, delivered } = summarizeTries(delivery)
  if (delivered === null) return t('timeline.tries.failed', { count: failed })
  const time = formatClock(delivered)
  return failed === 0 ? t('timeline.tries.first', { time }) : t('timeline.tries.later', { count: failed, time })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
