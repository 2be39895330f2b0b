import { Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { formatMoney, formatTime } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { CollectionAllocations, Incoming, Invoice } from '../../wire.ts'
import { Reason } from './collection-use.tsx'
import { isSome, notifyMatch, readAgain } from './queries.ts'

/** Unrequested money of an invoice: its payers, and the reasons for this invoice. */
export function InvoiceMoney({ invoice: { allocations, currency } }: { invoice: Invoice }) {
  if (allocations.length === 0) return null
  return (
    <Panel title={t('matching.invoice.title')}>
      <DataTable
        title={t('matching.invoice.title')}
        rows={allocations}
        keyOf={({ id }) => id}
        columns={[
          { title: t('fields.payer'), value: ({ collection }) => <Payer collection={collection} /> },
          { title: t('fields.amount'), align: 'right', value: (row) => <Kept {...row} currency={currency} /> },
          { title: t('fields.reason'), value: (row) => <Reason {...row} /> },
          { title: t('fields.created'), value: ({ created }) => <Time at={created} /> },
        ]}
      />
    </Panel>
  )
}

/** The phone that paid, with a link to its payment. */
function Payer({ collection }: { collection: number }) {
  const { data } = useQuery({
    queryKey: ['/incoming', String(collection)],
    queryFn: () => api.get<Incoming>(`/incoming/${collection}`),
  })
  return (
    <Anchor component={Link} to={`/collections/${collection}`} inherit underline="always" className="numeric">
      {data?.phonenumber ?? t('fields.collection_id', { id: collection })}
    </Anchor>
  )
}

/** Money that arrived for the invoice, and its refunded part. */
function Kept(props: Invoice['allocations'][number] & { currency: string }) {
  const { amount_paid, amount_reversed, amount_refunded, currency } = props
  const lines = [
    ...(isSome(amount_reversed)
      ? [t('matching.invoice.reversed', { amount: formatMoney(amount_reversed, currency) })]
      : []),
    ...(isSome(amount_refunded)
      ? [t('matching.invoice.refunded', { amount: formatMoney(amount_refunded, currency) })]
      : []),
  ]
  return (
    <>
      <Money amount={amount_paid} currency={currency} />
      {lines.map((line) => (
        <Text key={line} fz="xs" c="dimmed">
          {line}
        </Text>
      ))}
    </>
  )
}

/** Unmatched money that may be for an invoice. While there is some, no money is requested. */
export function WaitingMoney({ invoice }: { invoice: Invoice }) {
  const { may } = useSession()
  const client = useQueryClient()
  const { waiting_money, currency, number } = invoice
  if (waiting_money.length === 0) return null
  return (
    <Alert color="orange" title={t('matching.waiting.title')} role="status">
      <Stack gap="sm">
        {waiting_money.map(({ collection, amount, phonenumber, reference, paid }) => (
          <Group key={collection} justify="space-between">
            <Text fz="sm" component="div" flex={1} miw={200}>
              <Trans
                i18nKey={reference ? 'matching.waiting.money_reference' : 'matching.waiting.money'}
                values={{ amount: formatMoney(amount, currency), phonenumber, reference, time: formatTime(paid) }}
                components={{
                  a: <Anchor component={Link} to={`/collections/${collection}`} inherit underline="always" />,
                }}
              />
            </Text>
            {may('initiate_collections') && (
              <Confirm
                button={t('matching.waiting.button')}
                title={t('matching.waiting.confirm', { number: number ?? '' })}
                act={async (key) =>
                  notifyMatch(
                    await api.postOnce<CollectionAllocations>(
                      `/collections/${collection}/allocations`,
                      { parts: [{ invoice: invoice.id }] },
                      key,
                    ),
                  )
                }
                done={() => readAgain(client)}
              >
                {t('matching.waiting.confirm_text', {
                  amount: formatMoney(amount, currency),
                  due: formatMoney(invoice.amount_open, currency),
                })}
              </Confirm>
            )}
          </Group>
        ))}
        <Text fz="sm">{t('matching.waiting.text')}</Text>
      </Stack>
    </Alert>
  )
}
