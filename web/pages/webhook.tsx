import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { formatCount } from '../format.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { CopyField } from '../parts/copy-field.tsx'
import { Facts } from '../parts/facts.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Time } from '../parts/time.tsx'
import type { WebhookHealth } from '../wire.ts'
import { Resend } from './deliveries/resend.tsx'
import { HealthBadge } from './webhooks/webhooks.tsx'

/** One webhook with its health, its secret, and a button that deletes it. */
export default function WebhookPage() {
  const { id } = useParams({ strict: false })
  const navigate = useNavigate()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['/webhooks', id, 'health'],
    queryFn: () => api.get<WebhookHealth>(`/webhooks/${id}/health`),
    refetchInterval: 5_000,
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const onDeleted = () => {
    client.removeQueries({ queryKey: ['/webhooks', id, 'health'] })
    navigate({ to: '/webhooks' })
  }
  return (
    <>
      <BackLink to="/webhooks">Webhooks</BackLink>
      <PageHead
        title={data.event}
        about={data.target}
        actions={
          <>
            <Button variant="default" component={Link} to={`/deliveries?webhook=${data.id}`}>
              Deliveries
            </Button>
            <Resend webhook={data.id} />
            <Confirm
              button="Delete"
              title="Delete this webhook?"
              size="sm"
              danger
              act={() => api.post(`/webhooks/${data.id}/delete`)}
              done={onDeleted}
            >
              {data.target} is not told of {data.event} any more. What waits for it is not sent.
            </Confirm>
          </>
        }
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <Facts
            title="Webhook"
            facts={[
              ['State', <HealthBadge key="state" webhook={data} />],
              ['Waiting', formatCount(data.waiting)],
              ['Given up', formatCount(data.failed)],
              ['Made', <Time key="created" at={data.created} />],
              ['Changed', <Time key="updated" at={data.updated} />],
              ['Id', data.id],
            ]}
          />
        </Stack>
        <SecretPanel webhook={data} changed={refetch} />
      </SimpleGrid>
    </>
  )
}

function SecretPanel({ webhook, changed }: { webhook: WebhookHealth; changed(): void }) {
  const show = useMutation({ mutationFn: () => api.post<{ secret: string }>(`/webhooks/${webhook.id}/secret`) })
  const rotate = useMutation({
    mutationFn: () => api.post<{ secret: string }>(`/webhooks/${webhook.id}/secret/rotate`),
    onSuccess: changed,
  })
  const secret = rotate.data?.secret ?? show.data?.secret
  return (
    <Panel title="Secret" about="Your receiver checks signatures with it, as the Standard Webhooks specification says.">
      {webhook.previous_secret_expires && (
        <Text fz="sm">
          The secret before signs as well until <Time at={webhook.previous_secret_expires} />.
        </Text>
      )}
      {secret && <CopyField label="Secret" value={secret} />}
      <Problem error={show.error} />
      <Group>
        {!secret && (
          <Button variant="default" size="xs" loading={show.isPending} onClick={() => show.mutate()}>
            Show
          </Button>
        )}
        <Confirm button="Make a new one" title="Make a new secret?" act={() => rotate.mutateAsync()}>
          For a day notifications are signed with both, so that your receiver can move. Then only the new one counts.
        </Confirm>
      </Group>
    </Panel>
  )
}
