import { Anchor, Group, SimpleGrid, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { formatMoney } from '../format.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Facts } from '../parts/facts.tsx'
import { Json } from '../parts/json.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { RequestTimeline } from '../parts/request-timeline.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { useSession } from '../session.tsx'
import type { CollectionRequest } from '../wire.ts'

const open = ['pending', 'processing_started', 'instructions_sent']

/** One request and all that is known of it. It follows what happens. */
export default function CollectionRequestPage() {
  const { id } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['/collectionrequests', id],
    queryFn: () => api.get<CollectionRequest>(`/collectionrequests/${id}`),
    refetchInterval: ({ state }) => (open.includes(state.data?.status ?? '') ? 2_000 : 15_000),
  })
  if (error) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <Anchor component={Link} to="/collectionrequests" fz="sm">
        Collection requests
      </Anchor>
      <PageHead
        title={`${formatMoney(data.amount, data.currency)} from ${data.phonenumber}`}
        about={
          <Group component="span" gap="xs" mt={6}>
            <Status of={data.status} /> Request {data.id}
          </Group>
        }
        actions={open.includes(data.status) && <Cancel request={data} />}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <Asked request={data} />
          <Customer request={data} />
        </Stack>
        <Stack>
          <Panel title="What happened">
            <RequestTimeline request={data.id} poll_ms={open.includes(data.status) ? 2_000 : 15_000} />
          </Panel>
          {Object.keys(data.metadata ?? {}).length > 0 && <Json value={data.metadata} label="Metadata" />}
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
      button="Cancel the request"
      title="Cancel this request?"
      danger
      size="sm"
      act={() => api.post(`/collectionrequests/${request.id}/cancel`)}
      done={() => client.invalidateQueries({ queryKey: ['/collectionrequests'] })}
    >
      A prompt may still stand on the customer’s phone. Money that is paid all the same is kept as a collection without
      a request.
    </Confirm>
  )
}

function Asked({ request }: { request: CollectionRequest }) {
  return (
    <Facts
      title="Request"
      facts={[
        ...(request.error_message ? [['Problem', request.error_message] as const] : []),
        ['Reason', request.reason],
        ['Asked', <Time key="created" at={request.created} />],
        ...(request.start_date ? [['Starts', <Time key="start" at={request.start_date} />] as const] : []),
        ['Expires', <Time key="expiry" at={request.expiry_date} />],
        ['Prompt', request.send_instructions ? 'sent to the phone' : 'none: waits for money'],
        ['Further prompts', request.max_attempts],
        ['Success message', request.success_message],
        ['Account', request.account],
        ['Collection', request.collection],
      ]}
    />
  )
}

function Customer({ request: { contact, phonenumber } }: { request: CollectionRequest }) {
  return (
    <Facts
      title="Customer"
      facts={[
        ['Name', `${contact.first_name} ${contact.last_name}`],
        ['Phone number', phonenumber],
        ['Network', contact.network_name],
      ]}
    />
  )
}
