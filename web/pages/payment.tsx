import { Alert, Anchor, Group, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { formatMoney } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Facts } from '../parts/facts.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Json } from '../parts/json.tsx'
import { Loading } from '../parts/loading.tsx'
import { Money } from '../parts/money.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { refundReasons } from '../parts/refund-dialog.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { useSession } from '../session.tsx'
import type { LatePayout, Payment, RequestAction } from '../wire.ts'
import { describeRecipients } from './payments/payments.tsx'

/** One payment with the state of each recipient, and the decisions that are possible. */
export default function PaymentPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/payments', id],
    queryFn: () => api.get<Payment>(`/payments/${id}`),
    refetchInterval: 3_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/payments">Payments</BackLink>
      <PageHead
        title={`${formatMoney(data.amount, data.currency)} to ${describeRecipients(data)}`}
        about={
          <Group gap="xs" mt={6}>
            <Status of={data.state} /> Payment {data.id}
          </Group>
        }
        actions={<Decisions payment={data} />}
      />
      <Stack>
        <ApprovalNotice payment={data} />
        <LateNotice payment={data} />
        <SimpleGrid cols={{ base: 1, lg: Object.keys(data.metadata).length > 0 ? 2 : 1 }}>
          <Stack>
            <Summary payment={data} />
            <Refund payment={data.id} />
          </Stack>
          {Object.keys(data.metadata).length > 0 && <Json value={data.metadata} label="Metadata" />}
        </SimpleGrid>
        <Phones payment={data} />
      </Stack>
    </>
  )
}

/** Explains why a payment waits, for users who cannot approve it. */
function ApprovalNotice({ payment }: { payment: Payment }) {
  const { may, user } = useSession()
  if (!needsApproval(payment)) return null
  if (may('approve_payments') && payment.author !== user?.id) return null
  return (
    <Alert color="yellow" title="It waits for an approval">
      {payment.author === user?.id ? 'Somebody other than you' : 'Somebody'} who may approve payments has to decide.
    </Alert>
  )
}

/** Says that the network sent money after it had reported a failure, until a person has looked into it. */
function LateNotice({ payment }: { payment: Payment }) {
  const { may } = useSession()
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['/late-payouts', payment.id],
    queryFn: () => api.get<{ results: LatePayout[] }>('/late-payouts', { payment: String(payment.id), open: 'true' }),
    refetchInterval: 10_000,
  })
  const late = data?.results ?? []
  if (late.length === 0) return null
  return (
    <Alert color="orange" title="The network sent money after it had reported a failure">
      <Stack gap="xs" align="flex-start">
        {late.map(({ id, phonenumber, amount, currency, booked }) => (
          <div key={id}>
            {formatMoney(amount, currency)} to {phonenumber}.{' '}
            {booked
              ? 'It was taken from the wallet again.'
              : 'This is not the amount that was ordered, so it was not taken from the wallet.'}
          </div>
        ))}
        <div>Check whether somebody has paid the recipient in another way since the failure.</div>
        {may('initiate_payments') && (
          <Confirm
            button="It is settled"
            title="Is it settled?"
            act={() => api.post(`/payments/${payment.id}/review`)}
            done={async () => {
              await client.invalidateQueries({ queryKey: ['/late-payouts'] })
              await client.invalidateQueries({ queryKey: ['home'] })
            }}
          >
            The notice goes away here and on the home page. No money moves.
          </Confirm>
        )}
      </Stack>
    </Alert>
  )
}

/** Whether a part of the money has come back, but not all of it. */
function hasComeBackInPart({ state, reversed_amount }: Payment['phone_nos'][number]): boolean {
  return state === 'complete' && !/^0\.0+$/.test(reversed_amount)
}

function needsApproval({ state }: Payment): boolean {
  return state === 'approval_requested' || state === 'approval_needed'
}

/** The buttons for decisions. The initiator cannot approve a payment, and a payment in progress cannot be cancelled. */
function Decisions({ payment }: { payment: Payment }) {
  const { may, user } = useSession()
  const client = useQueryClient()
  const decides = needsApproval(payment) && may('approve_payments') && payment.author !== user?.id
  const untouched = payment.state !== 'validated' && payment.phone_nos.every((phone) => phone.state === 'new')
  const sum = formatMoney(payment.amount, payment.currency)
  return (
    <>
      {untouched && may('initiate_payments') && <ReasonDialog payment={payment} verb="Cancel" />}
      {decides && <ReasonDialog payment={payment} verb="Reject" />}
      {decides && (
        <Confirm
          button="Approve"
          size="sm"
          title="Approve this payment?"
          act={() => api.post(`/payments/${payment.id}/approve`)}
          done={() => client.invalidateQueries({ queryKey: ['/payments'] })}
        >
          {sum} is sent to {describeRecipients(payment)}.
        </Confirm>
      )}
    </>
  )
}

function ReasonDialog({ payment, verb }: { payment: Payment; verb: 'Cancel' | 'Reject' }) {
  return (
    <FormDialog
      button={verb === 'Cancel' ? 'Cancel the payment' : 'Reject'}
      title={`${verb} this payment`}
      submit={verb === 'Cancel' ? 'Cancel the payment' : 'Reject'}
      danger
      look={{ variant: 'default' }}
      initial={{ reason: '' }}
      send={(values) => api.post(`/payments/${payment.id}/${verb.toLowerCase()}`, values)}
      done="The money is back in the wallet."
      fields={(form) => <TextInput label="Reason" required data-autofocus {...form.getInputProps('reason')} />}
    />
  )
}

function Summary({ payment }: { payment: Payment }) {
  const { currency, rejected_reason, cancelled_reason } = payment
  return (
    <Facts
      title="Payment"
      facts={[
        ['What', payment.payment_type === 'airtime' ? 'Airtime' : 'Money'],
        ['Description', payment.description],
        ['Fee', <Money key="fee" amount={payment.charged_fee} currency={currency} />],
        [
          'From account',
          <Anchor key="wallet" component={Link} to={`/wallets/${payment.account}`} inherit>
            {payment.account}
          </Anchor>,
        ],
        ...(payment.send_sms_message ? [['SMS', 'To each recipient when the money has arrived'] as const] : []),
        ['Made', <Time key="created" at={payment.created} />],
        ...(payment.start_date > payment.created
          ? [['Sent', <Time key="start" at={payment.start_date} />] as const]
          : []),
        ...(rejected_reason ? [['Rejected because', rejected_reason] as const] : []),
        ...(cancelled_reason ? [['Cancelled because', cancelled_reason] as const] : []),
        ...(payment.last_error ? [['Problem', payment.last_error] as const] : []),
      ]}
    />
  )
}

/** What a refund gives back, and why. Other payments have nothing of it. */
function Refund({ payment }: { payment: number }) {
  const { data } = useQuery({
    queryKey: ['/payments', String(payment), 'actions'],
    queryFn: () => api.get<{ results: RequestAction[] }>(`/payments/${payment}/actions`),
  })
  const action = data?.results[0]
  if (!action) return null
  const { reason, comment, collection_request: request, author_name } = action
  return (
    <Facts
      title="Refund"
      facts={[
        ['Reason', reason && refundReasons[reason]],
        ['In own words', comment],
        ['Refunded by', author_name],
        [
          'Request',
          request && (
            <Anchor key="request" component={Link} to={`/collectionrequests/${request}`} inherit>
              {request}
            </Anchor>
          ),
        ],
      ]}
    />
  )
}

function Phones({ payment }: { payment: Payment }) {
  return (
    <Panel title="Phones">
      <Table.ScrollContainer type="native" minWidth={640} tabIndex={0} role="region" aria-label="Phones">
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Phone number</Table.Th>
              <Table.Th ta="right">Amount</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Problem</Table.Th>
              <Table.Th>Network's id</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {payment.phone_nos.map((phone) => (
              <Table.Tr key={phone.phonenumber}>
                <Table.Td className="numeric">{phone.phonenumber}</Table.Td>
                <Table.Td ta="right">
                  <Money amount={phone.amount} currency={payment.currency} />
                  {hasComeBackInPart(phone) && (
                    <Text fz="xs" c="dimmed">
                      <Money amount={phone.reversed_amount} currency={payment.currency} /> taken back
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Status of={phone.state} />
                </Table.Td>
                <Table.Td>{phone.last_error ?? '—'}</Table.Td>
                <Table.Td>{phone.remote_transaction_id ?? '—'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  )
}
