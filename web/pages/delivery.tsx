import { Accordion, Anchor, Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconRepeat } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../api.ts'
import { nameEvent } from '../event-types.ts'
import { BackLink } from '../parts/back-link.tsx'
import { Facts } from '../parts/facts.tsx'
import { Json } from '../parts/json.tsx'
import { Loading } from '../parts/loading.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { Status } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import { Trans, t } from '../texts/index.ts'
import type { Attempt, Delivery } from '../wire.ts'
import { FailureAdvice, failureText } from './webhooks/failure.tsx'

/** Notification to one webhook, with the exact bytes of every attempt. */
export default function DeliveryPage() {
  const { webhook, event } = useParams({ strict: false }) as { webhook: string; event: string }
  const path = `/webhooks/${webhook}/deliveries/${event}`
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: () => api.get<Delivery & { body: string; tries: Attempt[] }>(path),
  })
  const resend = useMutation({
    mutationFn: () => api.post(`${path}/replay`),
    onSuccess: () => {
      notifications.show({ color: 'green', message: t('deliveries.resent') })
      refetch()
    },
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/deliveries">{t('shell.nav.deliveries')}</BackLink>
      <PageHead
        title={`${nameEvent(data.type)} ${data.event}`}
        about={
          <>
            <div>{data.type}</div>
            {data.target}
          </>
        }
        actions={
          <Button leftSection={<IconRepeat size={16} />} loading={resend.isPending} onClick={() => resend.mutate()}>
            {t('deliveries.resend')}
          </Button>
        }
      />
      <Stack>
        <Problem error={resend.error} />
        <Summary delivery={data} />
        <Panel title={t('deliveries.attempts')}>
          {data.tries.length === 0 ? (
            <Text fz="sm" c="dimmed">
              {t('deliveries.no_attempts')}
            </Text>
          ) : (
            <Attempts tries={data.tries} body={data.body} />
          )}
        </Panel>
        <Panel title={t('deliveries.body')} about={t('deliveries.body_about')}>
          <Json label={t('deliveries.body')} value={indented(data.body)} />
        </Panel>
      </Stack>
    </>
  )
}

function Summary({ delivery }: { delivery: Delivery }) {
  return (
    <Facts
      title={t('deliveries.delivery')}
      facts={[
        [t('fields.state'), <Status key="state" state={delivery.state} noun="delivery" />],
        [
          t('deliveries.last_failure'),
          delivery.last_failure && (
            <div key="failure">
              {failureText(delivery.last_failure)}
              <FailureAdvice failure={delivery.last_failure} />
            </div>
          ),
        ],
        [t('deliveries.event_time'), <Time key="created" at={delivery.created} />],
        [t('deliveries.ended'), <Time key="ended" at={delivery.ended} />],
        [t('deliveries.next_attempt'), <Time key="due" at={delivery.due_at} />],
        [t('deliveries.last_resent'), <Time key="replayed" at={delivery.replayed} />],
        [
          t('webhooks.webhook'),
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
                {attempt.status ?? failureText(attempt.failure ?? '')}
              </Badge>
              <Text fz="sm">
                {t(attempt.replay ? 'deliveries.attempt.resent' : 'deliveries.attempt.title', {
                  number: attempt.attempt,
                })}
              </Text>
              <Text fz="sm" c="dimmed">
                <Trans
                  i18nKey={attempt.remote_address ? 'deliveries.attempt.took_to' : 'deliveries.attempt.took'}
                  values={{ ms: attempt.duration_ms, address: attempt.remote_address }}
                  components={{ time: <Time at={attempt.at} /> }}
                />
              </Text>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Stack gap="xs">
                <Text fz="sm" fw={600}>
                  {t('deliveries.attempt.request')}
                </Text>
                <Json label={t('deliveries.attempt.request_headers')} value={headerText(attempt.request_headers)} />
                <Json label={t('deliveries.attempt.request_body')} value={body} />
              </Stack>
              <Stack gap="xs">
                <Text fz="sm" fw={600}>
                  {attempt.status === null
                    ? t('deliveries.attempt.no_response', { failure: failureText(attempt.failure ?? '') })
                    : t('deliveries.attempt.response', { status: attempt.status })}
                </Text>
                {attempt.response_headers && (
                  <Json label={t('deliveries.attempt.response_headers')} value={headerText(attempt.response_headers)} />
                )}
                {attempt.response_body && (
                  <Json label={t('deliveries.attempt.response_body')} value={attempt.response_body} />
                )}
              </Stack>
            </SimpleGrid>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

/** Return the key of an attempt. Two processes may have recorded the same attempt, so it includes the time. */
function keyOf({ attempt, at }: Attempt): string {
  return `${attempt}-${Date.parse(at)}`
}

function headerText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** Indent JSON for reading. The exact bytes are shown with each attempt. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
