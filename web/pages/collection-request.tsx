import { Alert, Anchor, Group, SimpleGrid, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api, type List } from '../api.ts'
import { formatMoney } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Facts } from '../parts/facts.tsx'
import { Json } from '../parts/json.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { RequestTimeline } from '../parts/timeline/request-timeline.tsx'
import { useSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import { translateMessage } from '../texts/messages.ts'
import type { CollectionRequest, Sms } from '../wire.ts'
import { RequestActions } from './collection-requests/actions.tsx'
import { Outcome } from './collection-requests/outcome.tsx'
import { Repeats } from './collection-requests/repeats.tsx'
import { NearMoneyPanel } from './matching/near-money.tsx'
import { ReceiptPanel } from './receipts/receipt-panel.tsx'
import { WalletLink } from './wallets/wallet-link.tsx'

const open = ['pending', 'processing_started', 'instructions_sent']

/** Request with its details and its history. It updates itself. */
export default function CollectionRequestPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/collectionrequests', id],
    queryFn: () => api.get<CollectionRequest>(`/collectionrequests/${id}`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/collectionrequests">{t('shell.nav.collection_requests')}</BackLink>
      <PageHead
        audited={['collectionrequest', data.id]}
        title={t('fields.amount_from', {
          amount: formatMoney(data.amount, data.currency),
          phonenumber: data.phonenumber,
        })}
        about={
          <Group component="span" gap="xs" mt={6}>
            <Status state={data.status} noun="collectionrequest" /> {t('fields.request_id', { id: data.id })}
          </Group>
        }
        actions={
          <>
            <RequestActions request={data} />
            {open.includes(data.status) && <Cancel request={data} />}
          </>
        }
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          {open.includes(data.status) && <NotInstructed request={data.id} />}
          <Outcome request={data} />
          <NearMoneyPanel request={data} is_open={open.includes(data.status)} />
          <RequestDetails request={data} />
          {data.collection !== null && (
            <ReceiptPanel collection={data.collection} may_issue={data.status === 'successful'} />
          )}
          <Repeats request={data.id} />
          <Customer request={data} />
        </Stack>
        <Stack>
          <Panel title={t('requests.details.timeline')}>
            <RequestTimeline request={data.id} />
          </Panel>
          {Object.keys(data.metadata ?? {}).length > 0 && <Json value={data.metadata} label={t('fields.metadata')} />}
        </Stack>
      </SimpleGrid>
    </>
  )
}

function Cancel({ request }: { request: CollectionRequest }) {
  const { may } = useSession()
  const client = useQueryClient()
  if (!may('initiate_collections')) return null
  return (
    <Confirm
      button={t('requests.cancel.button')}
      title={t('requests.cancel.title')}
      danger
      size="sm"
      act={() => api.post(`/collectionrequests/${request.id}/cancel`)}
      done={() => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })}
    >
      {t('requests.cancel.text')}
    </Confirm>
  )
}

/** Warn that the customer of an open request did not get the SMS with payment instructions. */
function NotInstructed({ request }: { request: number }) {
  const { data } = useQuery({
    queryKey: ['/sms', request],
    queryFn: () => api.get<List<Sms>>('/sms', { collection_request: request, purpose: 'instructions' }),
  })
  const sms = data?.results.find(({ state }) => state === 'failed' || state === 'unknown')
  if (!sms) return null
  return (
    <Alert color="orange" title={t('requests.not_instructed.title')} role="status">
      {sms.last_error && <div>{translateMessage(sms.last_error)}</div>}
      {t('requests.not_instructed.text')}
    </Alert>
  )
}

function RequestDetails({ request }: { request: CollectionRequest }) {
  return (
    <Facts
      title={t('fields.request')}
      facts={[
        ...(request.error_message
          ? [[t('requests.details.error'), translateMessage(request.error_message)] as const]
          : []),
        [t('fields.reason'), request.reason],
        [t('requests.requested'), <Time key="created" at={request.created} />],
        ...(request.start_date
          ? [[t('requests.details.starts'), <Time key="start" at={request.start_date} />] as const]
          : []),
        [t('requests.details.expires'), <Time key="expiry" at={request.expiry_date} />],
        [
          t('requests.details.prompt'),
          t(request.send_instructions ? 'requests.details.prompted' : 'requests.details.not_prompted'),
        ],
        [t('requests.details.further_prompts'), request.max_attempts],
        [t('requests.details.success_message'), request.success_message],
        [t('fields.wallet'), <WalletLink key="account" id={request.account} />],
      ]}
    />
  )
}

function Customer({ request: { contact, phonenumber } }: { request: CollectionRequest }) {
  return (
    <Facts
      title={t('fields.customer')}
      facts={[
        [
          t('fields.name'),
          <Anchor key="contact" component={Link} to={`/contacts/${contact.id}`} inherit>
            {contact.first_name} {contact.last_name}
          </Anchor>,
        ],
        [t('fields.phone_number'), phonenumber],
        [t('fields.network'), contact.network_name],
      ]}
    />
  )
}
