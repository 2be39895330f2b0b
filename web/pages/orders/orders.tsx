import { Alert, Anchor, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { Attestation, ListedOrder } from '../../wire.ts'
import { Attest } from './attest.tsx'

const states = ['waiting', 'approved', 'rejected', 'withdrawn', 'superseded']

/** The orders that a person must look at, and what people have attested about such orders. */
export default function Orders() {
  return (
    <ListPage<Attestation>
      title="Orders"
      about="Orders and bill purchases whose end no provider has said. One person attests what its statement says, and a second person approves."
      path="/attestations"
      cards
      empty="Nothing has been attested yet."
      csv={false}
      poll_ms={5_000}
      above={<OrdersInNeed />}
      filters={[{ name: 'state', label: 'State', choices: states }]}
      columns={[
        { title: 'Attested', value: (row) => <Claim of={row} /> },
        { title: 'State', value: (row) => <State of={row} /> },
        { title: 'Statement', value: (row) => <Statement of={row} /> },
        { title: 'By', value: (row) => <Moment name={row.author_name} at={row.created} /> },
        {
          title: 'Decided',
          value: (row) => row.decided && <Moment name={row.decided_by_name ?? 'The network'} at={row.decided} />,
        },
      ]}
    />
  )
}

function OrdersInNeed() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/orders'],
    queryFn: () => api.get<{ results: ListedOrder[] }>('/orders', { needs_attention: 'true' }),
    refetchInterval: 5_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  if (data.results.length === 0)
    return (
      <Alert color="green" title="No order needs a person">
        Networks have answered, or still have time to.
      </Alert>
    )
  return (
    <Paper withBorder>
      <DataTable
        title="Orders in need"
        rows={data.results}
        keyOf={({ reference }) => reference}
        columns={[
          { title: 'Order', value: (order) => <Which order={order} /> },
          { title: 'Money', value: (order) => <OrderMoney order={order} /> },
          { title: 'State', value: ({ state }) => <Status of={state} /> },
          { title: 'Why', value: ({ attention, message }) => attention ?? message ?? 'It has no answer.' },
          { title: 'What to do', value: (order) => <Todo order={order} /> },
        ]}
      />
    </Paper>
  )
}

function Which({ order: { reference, kind, connection, sent } }: { order: ListedOrder }) {
  return (
    <>
      <Text fz="sm" ff="monospace" className="any-break">
        {reference}
      </Text>
      <Text fz="xs" c="dimmed">
        {kind} on {connection}
        {sent && (
          <>
            , <Time at={sent} />
          </>
        )}
      </Text>
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

/** What the user can do about an order: attest its end, or say that a person has looked into one that has ended. */
function Todo({ order }: { order: ListedOrder }) {
  const { may } = useSession()
  const client = useQueryClient()
  const { reference, state, waiting_attestation } = order
  if (waiting_attestation !== null) return <>Attestation {waiting_attestation} waits for a second person.</>
  const is_open = state === 'sent' || state === 'accepted' || state === 'pending'
  if (is_open) return may('initiate_payments') || may('approve_payments') ? <Attest order={order} /> : null
  if (!may('initiate_payments')) return null
  return (
    <Confirm
      button="It is settled"
      title="Is it settled?"
      act={() => api.post(`/orders/${reference}/review`)}
      done={() => client.invalidateQueries({ queryKey: ['/orders'] })}
    >
      The order leaves this list. No money moves.
    </Confirm>
  )
}

function Claim({ of: { outcome, amount, currency, remote_id, reference, kind } }: { of: Attestation }) {
  return (
    <>
      <Text fz="sm">
        {outcome === 'successful' ? `${formatMoney(amount!, currency)} as ${remote_id}` : 'It did not happen'}
      </Text>
      <Text fz="xs" c="dimmed">
        {kind} <span className="no-break">{reference}</span>
      </Text>
    </>
  )
}

function Statement({ of: { id, statement, note, document_name, document_sha256 } }: { of: Attestation }) {
  return (
    <>
      <Text fz="sm">{statement}</Text>
      <Text fz="xs" c="dimmed">
        {note}
      </Text>
      <Anchor fz="xs" href={`/console/api/attestations/${id}/document`} download title={`SHA-256 ${document_sha256}`}>
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
function State({ of }: { of: Attestation }) {
  return (
    <Stack gap="xs" align="flex-start">
      <Status of={of.state} />
      {of.state === 'waiting' && <Buttons of={of} />}
    </Stack>
  )
}

/** The one who attested may withdraw; another user who may approve payments approves or rejects. */
function Buttons({ of: { id, author, reference } }: { of: Attestation }) {
  const { user, may } = useSession()
  const client = useQueryClient()
  const decide = (verdict: string) => () => api.post(`/attestations/${id}/${verdict}`)
  const done = () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  if (author === user?.id)
    return (
      <Confirm button="Withdraw" title="Withdraw what you attested?" act={decide('withdraw')} done={done}>
        Nothing changes at the order {reference}.
      </Confirm>
    )
  if (!may('approve_payments')) return null
  return (
    <Group gap="xs">
      <Confirm button="Reject" title="Reject it?" act={decide('reject')} done={done}>
        Nothing changes at the order {reference}.
      </Confirm>
      <Confirm button="Approve" title="Settle the order?" act={decide('approve')} done={done}>
        Read the document first. The order {reference} is settled, and its money is booked.
      </Confirm>
    </Group>
  )
}
