import { Accordion, Anchor, Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconRepeat } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Facts } from '../parts/facts.tsx'
import { Json } from '../parts/json.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import type { Attempt, Delivery } from '../wire.ts'

/** One notification to one webhook, with the exact bytes of every attempt. */
export default function DeliveryPage() {
  const { webhook, event } = useParams({ strict: false }) as { webhook: string; event: string }
  const path = `/webhooks/${webhook}/deliveries/${event}`
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: () => api.get<Delivery & { body: string; tries: Attempt[] }>(path),
    refetchInterval: 3_000,
  })
  const resend = useMutation({
    mutationFn: () => api.post(`${path}/replay`),
    onSuccess: () => {
      notifications.show({ color: 'green', message: 'It is sent once more.' })
      refetch()
    },
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/deliveries">Deliveries</BackLink>
      <PageHead
        title={`${data.type} ${data.event}`}
        about={data.target}
        actions={
          <Button leftSection={<IconRepeat size={16} />} loading={resend.isPending} onClick={() => resend.mutate()}>
            Send it again
          </Button>
        }
      />
      <Stack>
        <Problem error={resend.error} />
        <Summary delivery={data} />
        <Panel title="Attempts">
          {data.tries.length === 0 ? (
            <Text fz="sm" c="dimmed">
              None yet.
            </Text>
          ) : (
            <Attempts tries={data.tries} body={data.body} />
          )}
        </Panel>
        <Panel title="Body" about="Indented for reading. Each attempt shows the bytes as they were sent.">
          <Json label="Body" value={indented(data.body)} />
        </Panel>
      </Stack>
    </>
  )
}

function Summary({ delivery }: { delivery: Delivery }) {
  return (
    <Facts
      title="Delivery"
      facts={[
        ['State', <Status key="state" of={delivery.state} />],
        ['Last failure', delivery.last_failure],
        ['Happened', <Time key="created" at={delivery.created} />],
        ['Ended', <Time key="ended" at={delivery.ended} />],
        ['Next attempt', <Time key="due" at={delivery.due_at} />],
        ['Resent by hand', <Time key="replayed" at={delivery.replayed} />],
        [
          'Webhook',
          <Anchor key="webhook" component={Link} to={`/webhooks/${delivery.webhook}`} inherit>
            {delivery.webhook}
          </Anchor>,
        ],
      ]}
    />
  )
}

/** The attempts, newest first. The newest is expanded. */
function Attempts({ tries, body }: { tries: Attempt[]; body: string }) {
  const newest = [...tries].reverse()
  return (
    <Accordion variant="separated" defaultValue={keyOf(newest[0]!)}>
      {newest.map((attempt) => (
        <Accordion.Item key={keyOf(attempt)} value={keyOf(attempt)}>
          <Accordion.Control>
            <Group gap="sm">
              <Badge variant="dot" color={attempt.failure ? 'red' : 'green'} tt="none" fw={500}>
                {attempt.status ?? attempt.failure}
              </Badge>
              <Text fz="sm">
                Attempt {attempt.attempt}
                {attempt.replay && ', by hand'}
              </Text>
              <Text fz="sm" c="dimmed">
                <Time at={attempt.at} />, {attempt.duration_ms} ms
                {attempt.remote_address && ` to ${attempt.remote_address}`}
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Stack gap="xs">
                <Text fz="sm" fw={600}>
                  Sent
                </Text>
                <Json label="Headers sent" value={headerText(attempt.request_headers)} />
                <Json label="Body sent" value={body} />
              </Stack>
              <Stack gap="xs">
                <Text fz="sm" fw={600}>
                  {attempt.status === null ? `No answer: ${attempt.failure}` : `Answered ${attempt.status}`}
                </Text>
                {attempt.response_headers && (
                  <Json label="Headers answered" value={headerText(attempt.response_headers)} />
                )}
                {attempt.response_body && <Json label="Body answered" value={attempt.response_body} />}
              </Stack>
            </SimpleGrid>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

/** Two processes may have recorded the same attempt, so the key includes the time. */
function keyOf({ attempt, at }: Attempt): string {
  return `${attempt}-${Date.parse(at)}`
}

function headerText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Indents JSON for reading. The exact bytes are shown with each attempt. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
