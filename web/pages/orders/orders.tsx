import { Alert, Anchor, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { formatMoney, formatWord } from '../../format.ts'
import { AuditLink } from '../../parts/audit-link.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { Attestation, ListedOrder } from '../../wire.ts'
import { Attest } from './attest.tsx'

const states = ['waiting', 'approved', 'rejected', 'withdrawn', 'superseded']

/** Orders that a person must check, and attestations of such orders. */
export default function Orders() {
  return (
    <ListPage<Attestation>
      title={t('shell.nav.orders')}
      about={t('orders.about')}
      path="/attestations"
      empty={t('orders.none_attested')}
      above={<OrdersInNeed />}
      filters={[{ name: 'state', label: t('fields.state'), choices: states, noun: 'attestation' }]}
      columns={[
        {
          name: 'attested',
          title: t('orders.attested'),
          value: (row) => <Claim attestation={row} />,
          file: describeClaim,
          beside: [{ title: t('orders.order'), file: (row) => row.reference }],
        },
        {
          name: 'state',
          title: t('fields.state'),
          status: true,
          value: (row) => <State attestation={row} />,
          file: (row) => formatWord(row.state, 'attestation'),
        },
        {
          name: 'statement',
          title: t('orders.statement'),
          value: (row) => <Statement attestation={row} />,
          file: (row) => [row.statement, row.note, row.document_name].filter(Boolean).join(', '),
        },
        {
          name: 'by',
          title: t('orders.by'),
          value: (row) => <Moment name={row.author_name} at={row.created} />,
          file: (row) => row.author_name,
          beside: [{ title: t('fields.created'), file: (row) => ({ time: row.created }) }],
        },
        {
          name: 'decided',
          title: t('orders.decided'),
          value: (row) =>
            row.decided && <Moment name={row.decided_by_name ?? t('orders.the_network')} at={row.decided} />,
          file: (row) => row.decided && (row.decided_by_name ?? t('orders.the_network')),
          beside: [{ title: t('audit.time'), file: (row) => ({ time: row.decided }) }],
        },
      ]}
    />
  )
}

function OrdersInNeed() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/orders'],
    queryFn: () => api.get<{ results: ListedOrder[] }>('/orders', { needs_attention: 'true' }),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  if (data.results.length === 0)
    return (
      <Alert color="green" title={t('orders.none_title')}>
        {t('orders.none_text')}
      </Alert>
    )
  return (
    <Paper withBorder>
      <DataTable
        title={t('orders.in_need')}
        rows={data.results}
        keyOf={({ reference }) => reference}
        columns={[
          { title: t('orders.order'), value: (order) => <Which order={order} /> },
          { title: t('fields.amount'), value: (order) => <OrderMoney order={order} /> },
          { title: t('fields.state'), status: true, value: ({ state }) => <Status state={state} noun="order" /> },
          {
            title: t('orders.why'),
            value: ({ attention, message }) => translateMessage(attention ?? message ?? t('orders.no_answer')),
          },
          { title: t('orders.action'), value: (order) => <Todo order={order} /> },
        ]}
      />
    </Paper>
  )
}

function Which({ order: { id, reference, kind, connection, sent } }: { order: ListedOrder }) {
  return (
    <>
      <Text fz="sm" ff="monospace" className="any-break">
        {reference}
      </Text>
      <Text fz="xs" c="dimmed">
        <Trans
          i18nKey={sent ? 'orders.which_sent' : 'orders.which'}
          values={{ kind: formatWord(kind), connection }}
          components={{ time: <Time at={sent} /> }}
        />
      </Text>
      {id !== null && <AuditLink object="order" id={id} look="link" />}
    </>
  )
}

function OrderMoney({ order: { amount, currency, phonenumber } }: { order: ListedOrder }) {
  return (
    <>
      {formatMoney(amount, currency)}
      <Text fz="xs" c="dimmed">
        {phonenumber}
      </Text>
    </>
  )
}

/** Actions of the user on an order: attest its end, or mark an ended one as checked. */
function Todo({ order }: { order: ListedOrder }) {
  const { may } = useSession()
  const client = useQueryClient()
  const { reference, state, waiting_attestation } = order
  if (waiting_attestation !== null) return <>{t('orders.waits', { id: waiting_attestation })}</>
  const is_open = state === 'sent' || state === 'accepted' || state === 'pending'
  if (is_open) return may('initiate_payments') || may('approve_payments') ? <Attest order={order} /> : null
  if (!may('initiate_payments')) return null
  return (
    <Confirm
      button={t('orders.review.button')}
      title={t('orders.review.title')}
      act={() => api.post(`/orders/${reference}/review`)}
      done={() => client.invalidateQueries({ queryKey: ['/orders'] })}
    >
      {t('orders.review.text')}
    </Confirm>
  )
}

function describeClaim({ outcome, amount, currency, remote_id }: Attestation): string {
  return outcome === 'successful'
    ? t('orders.claim_successful', { money: formatMoney(amount!, currency), remote_id: remote_id ?? '' })
    : t('orders.claim_failed')
}

function Claim({ attestation }: { attestation: Attestation }) {
  const { reference, kind, object } = attestation
  return (
    <>
      <Text fz="sm">{describeClaim(attestation)}</Text>
      <Text fz="xs" c="dimmed">
        {formatWord(kind)} <span className="no-break">{reference}</span>
      </Text>
      <AuditLink object={kind === 'bill' ? 'purchase' : 'order'} id={object} look="link" />
    </>
  )
}

function Statement({
  attestation: { id, statement, note, document_name, document_sha256 },
}: {
  attestation: Attestation
}) {
  return (
    <>
      <Text fz="sm">{statement}</Text>
      <Text fz="xs" c="dimmed">
        {note}
      </Text>
      <Anchor
        fz="xs"
        href={`/console/api/attestations/${id}/document`}
        download
        title={t('orders.hash', { hash: document_sha256 })}
      >
        {document_name}
      </Anchor>
    </>
  )
}

function Moment({ name, at }: { name: string; at: string }) {
  return (
    <Stack gap={0}>
      <Text fz="sm">{name}</Text>
      <Text fz="xs" c="dimmed">
        <Time at={at} />
      </Text>
    </Stack>
  )
}

/** The state with the buttons below it, so that they are in sight on narrow screens as well. */
function State({ attestation }: { attestation: Attestation }) {
  return (
    <Stack gap="xs" align="flex-start">
      <Status state={attestation.state} noun="attestation" />
      {attestation.state === 'waiting' && <Buttons attestation={attestation} />}
    </Stack>
  )
}

/** The one who attested may withdraw; another user who may approve payments approves or rejects. */
function Buttons({ attestation: { id, author, reference } }: { attestation: Attestation }) {
  const { user, may } = useSession()
  const client = useQueryClient()
  const decide = (verdict: string) => () => api.post(`/attestations/${id}/${verdict}`)
  const done = () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  if (author === user?.id)
    return (
      <Confirm button={t('orders.withdraw')} title={t('orders.withdraw_title')} act={decide('withdraw')} done={done}>
        {t('orders.unchanged', { reference })}
      </Confirm>
    )
  if (!may('approve_payments')) return null
  return (
    <Group gap="xs">
      <Confirm button={t('orders.reject')} title={t('orders.reject_title')} act={decide('reject')} done={done}>
        {t('orders.unchanged', { reference })}
      </Confirm>
      <Confirm button={t('orders.approve')} title={t('orders.approve_title')} act={decide('approve')} done={done}>
        {t('orders.approve_text', { reference })}
      </Confirm>
    </Group>
  )
}
