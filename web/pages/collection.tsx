import { Anchor, Group, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { formatMoney } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Facts } from '../parts/facts.tsx'
import { Loading } from '../parts/loading.tsx'
import { Money } from '../parts/money.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { NoRefundNote, RefundDialog } from '../parts/refund-dialog.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { Incoming, IncomingDetails } from '../wire.ts'
import { Match } from './collections/collections.tsx'
import { ReturnMoney } from './collections/return.tsx'
import { CollectionUse } from './matching/collection-use.tsx'
import { MatchDialog } from './matching/match-dialog.tsx'
import { isSome, useAllocations } from './matching/queries.ts'
import { ReceiptPanel } from './receipts/receipt-panel.tsx'
import { WalletLink } from './wallets/wallet-link.tsx'

/** Collection, with actions for unsolicited payments. */
export default function CollectionPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/incoming', id],
    queryFn: () => api.get<IncomingDetails>(`/incoming/${id}`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/collections">{t('shell.nav.collections')}</BackLink>
      <PageHead
        audited={['collection', data.id]}
        title={t('fields.amount_from', {
          amount: formatMoney(data.amount, data.currency),
          phonenumber: data.phonenumber,
        })}
        about={
          <Group gap="xs" mt={6}>
            <Status state={data.status} noun="collection" /> {t('fields.collection_id', { id: data.id })}
          </Group>
        }
        actions={<Actions collection={data} />}
      />
      <CollectionUse collection={data} />
      <Details collection={data} />
    </>
  )
}

/** The actions that fit the collection and that the user may do. */
function Actions({ collection }: { collection: Incoming }) {
  const { may } = useSession()
  const { id, status, standing, currency, phonenumber, reference, amount } = collection
  const unmatched = useAllocations(id).data?.amount_unmatched ?? '0'
  const some = isSome(standing.left)
  const sends = may('initiate_payments') && some
  const money = { collection: id, currency, phonenumber, reference, amount: unmatched }
  return (
    <>
      {isSome(unmatched) && may('initiate_collections') && (
        <MatchDialog money={money} is_whole={unmatched === amount} />
      )}
      {standing.unmatched && sends && <ReturnMoney collection={collection} />}
      {!standing.unmatched && status === 'successful' && sends && (
        <RefundDialog collection={collection} path={`/incoming/${id}/refund`} />
      )}
    </>
  )
}

/** Links to the refund payments. */
function Refunds({ standing: { given_back_by } }: { standing: Incoming['standing'] }) {
  return (
    <Group gap="xs">
      {given_back_by.map((payment) => (
        <Anchor key={payment} component={Link} to={`/payments/${payment}`} inherit>
          {t('fields.payment_id', { id: payment })}
        </Anchor>
      ))}
    </Group>
  )
}

function Details({ collection }: { collection: IncomingDetails }) {
  const { standing, currency, transaction } = collection
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Facts
        title={t('fields.collection')}
        facts={[
          [t('fields.request'), <Match key="match" collection={collection} />],
          [t('fields.reference'), collection.reference],
          [t('fields.paid'), <Time key="paid" at={collection.payment_date} />],
          [t('collections.recorded'), <Time key="created" at={collection.created} />],
          [t('fields.network'), standing.network_name],
          [t(standing.is_stand_in ? 'fields.stand_in_id' : 'fields.network_id'), collection.remote_transaction_id],
          ...(/^0\.0+$/.test(collection.reversed_amount)
            ? []
            : [
                [
                  t('collections.reversed'),
                  <Money key="reversed" amount={collection.reversed_amount} currency={currency} />,
                ] as const,
              ]),
          [
            t('collections.remaining'),
            <div key="left">
              <Money amount={standing.left} currency={currency} />
              {isSome(standing.left) && <NoRefundNote />}
            </div>,
          ],
          ...(standing.given_back_by.length > 0
            ? [[t('collections.refunds'), <Refunds key="by" standing={standing} />] as const]
            : []),
        ]}
      />
      <Stack>
        <ReceiptPanel collection={collection.id} may_issue={collection.status === 'successful'} />
        <Customer collection={collection} />
        <Facts
          title={t('fields.wallet')}
          facts={[
            [t('fields.wallet'), <WalletLink key="wallet" id={collection.account} />],
            [
              t('collections.credited'),
              transaction ? t('collections.transaction', { id: transaction.id }) : t('collections.not_credited'),
            ],
          ]}
        />
      </Stack>
    </SimpleGrid>
  )
}

/** Payer: the contact of the phone, or the name by which customers list it as their payer's. */
function Customer({ collection: { contact, phonenumber, pays_for } }: { collection: IncomingDetails }) {
  const name = `${contact.first_name} ${contact.last_name}`
  const payer = pays_for.find((one) => one.payer !== '')?.payer
  return (
    <Facts
      title={t('fields.customer')}
      facts={[
        [
          t('fields.name'),
          <Anchor key="contact" component={Link} to={`/contacts/${contact.id}`} inherit>
            {name === 'Anonymous Contact' && payer ? payer : name}
          </Anchor>,
        ],
        ...(pays_for.length > 0
          ? [[t('collections.pays_for'), <PaidCustomers key="for" of={pays_for} />] as const]
          : []),
        [t('fields.name_on_network'), contact.name_on_network],
        [t('fields.phone_number'), phonenumber],
      ]}
    />
  )
}

function PaidCustomers({ of }: { of: IncomingDetails['pays_for'] }) {
  return (
    <Stack gap={0}>
      {of.map(({ id, name, number }) => (
        <Anchor key={id} component={Link} to={`/contacts/${id}`} inherit>
          {[name, number].filter(Boolean).join(', ')}
        </Anchor>
      ))}
    </Stack>
  )
}
