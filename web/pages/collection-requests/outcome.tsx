import { Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Facts } from '../../parts/facts.tsx'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { NoRefundNote } from '../../parts/refund-dialog.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { CollectionRequest, RequestOutcome } from '../../wire.ts'
import { SendLink, TryAgain } from './actions.tsx'
import { describeReason } from './failure-reason.ts'

/** Result of a request: the money with its costs, or the possible actions where none came. */
export function Outcome({ request }: { request: CollectionRequest }) {
  const { data } = useQuery({
    // Data from the time when the request was open says nothing about its end.
    queryKey: ['outcome', request.id, request.status],
    queryFn: () => api.get<RequestOutcome>(`/collectionrequests/${request.id}/outcome`),
  })
  if (!data) return null
  if (data.money) return <MoneyPanel money={data.money} />
  if (request.status !== 'failed' && request.status !== 'expired') return null
  return <NextSteps request={request} outcome={data} />
}

function MoneyPanel({ money }: { money: NonNullable<RequestOutcome['money']> }) {
  const { amount, fee, net, left, currency, collection, connection, remote_transaction_id, is_stand_in } = money
  return (
    <Panel title={t('requests.outcome.money')}>
      <Facts
        bare
        facts={[
          [t('requests.outcome.received'), <Money key="amount" amount={amount} currency={currency} />],
          [t('requests.outcome.fee'), fee && (isZero(fee) ? t('requests.outcome.none') : formatMoney(fee, currency))],
          [t('requests.outcome.net'), net && <Money key="net" amount={net} currency={currency} />],
          [
            t('requests.outcome.left'),
            <div key="left">
              <Money amount={left} currency={currency} />
              {!isZero(left) && <NoRefundNote />}
            </div>,
          ],
          [t(is_stand_in ? 'fields.stand_in_id' : 'fields.network_id'), remote_transaction_id],
          [t('timeline.wire.connection'), connection],
          [
            t('fields.collection'),
            <Anchor key="collection" component={Link} to={`/collections/${collection}`} inherit>
              {collection}
            </Anchor>,
          ],
        ]}
      />
    </Panel>
  )
}

function NextSteps({ request, outcome }: { request: CollectionRequest; outcome: RequestOutcome }) {
  const { may } = useSession()
  const { invoice, not_retryable, reason } = outcome
  const can_ask = not_retryable === null && may('initiate_collections')
  if (invoice === null && not_retryable === null && !can_ask) return null
  return (
    <Panel title={t('requests.outcome.next')}>
      {reason !== null && (
        <Text fz="sm" fw={600} className="any-break">
          {describeReason(reason)}
        </Text>
      )}
      <Text fz="sm" component="div">
        {invoice !== null ? (
          <Trans
            i18nKey="requests.outcome.invoice"
            values={{ id: invoice }}
            components={{ a: <Anchor component={Link} to={`/invoices/${invoice}`} inherit underline="always" /> }}
          />
        ) : not_retryable === null ? (
          t('requests.outcome.text')
        ) : (
          translateMessage(not_retryable)
        )}
      </Text>
      {can_ask && (
        <Group>
          <TryAgain request={request} />
          <SendLink request={request} />
        </Group>
      )}
    </Panel>
  )
}

function isZero(amount: string): boolean {
  return /^0(\.0+)?$/.test(amount)
}
