import { Anchor, Group, Loader, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { formatMoney } from '../format.ts'
import { Facts } from '../parts/facts.tsx'
import { Json } from '../parts/json.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Problem } from '../parts/problem.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
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
  if (!data) return <Loader aria-label="Loading" />
  return (
    <>
      <Anchor component={Link} to="/collectionrequests" fz="sm">
        Collection requests
      </Anchor>
      <PageHead
        title={`${formatMoney(data.amount, data.currency)} from ${data.phonenumber}`}
        about={
          <Group gap="xs" mt={6}>
            <Status of={data.status} /> Request {data.id}
          </Group>
        }
      />
      <Details request={data} />
    </>
  )
}

function Details({ request }: { request: CollectionRequest }) {
  const { contact } = request
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Stack>
        <Facts
          title="Request"
          facts={[
            ['Status', <Status key="status" of={request.status} />],
            ...(request.error_message ? [['Problem', request.error_message] as const] : []),
            ['Asked', <Time key="created" at={request.created} />],
            ['Changed', <Time key="modified" at={request.modified} />],
            ['Starts', <Time key="start" at={request.start_date} />],
            ['Expires', <Time key="expiry" at={request.expiry_date} />],
            ['Reason', request.reason],
            ['Thanks text', request.success_message],
          ]}
        />
      </Stack>
      <Stack>
        <Facts
          title="Customer"
          facts={[
            ['Name', `${contact.first_name} ${contact.last_name}`],
            ['Phone number', request.phonenumber],
            ['Network', contact.network_name],
          ]}
        />
        <Facts
          title="Payment"
          facts={[
            ['Account', request.account],
            ['Collection', request.collection],
            ['Further prompts', request.max_attempts],
          ]}
        />
        {Object.keys(request.metadata ?? {}).length > 0 && <Json value={request.metadata} label="Metadata" />}
      </Stack>
    </SimpleGrid>
  )
}
