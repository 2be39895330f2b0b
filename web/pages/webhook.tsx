import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
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
import { useGoOn } from '../parts/use-submit.ts'
import { nameTarget } from '../target-name.ts'
import { Trans, t } from '../texts/index.ts'
import type { Endpoint } from '../wire.ts'
import { Resend } from './deliveries/resend.tsx'
import { PauseWebhook, TestWebhook } from './webhooks/actions.tsx'
import { FailureAdvice, failureText } from './webhooks/failure.tsx'
import { EditWebhook } from './webhooks/form.tsx'
import { EventNames, HealthBadge } from './webhooks/webhooks.tsx'

/** Webhook with its health, its secret, and a button that deletes it. */
export default function WebhookPage() {
  const { id } = useParams({ strict: false })
  const goOn = useGoOn()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['/webhooks', id, 'health'],
    queryFn: () => api.get<Endpoint>(`/webhooks/${id}/health`),
  })
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  const onDeleted = () => {
    client.removeQueries({ queryKey: ['/webhooks', id, 'health'] })
    goOn('/webhooks')
  }
  return (
    <>
      <BackLink to="/webhooks">{t('shell.nav.webhooks')}</BackLink>
      <PageHead
        audited={['webhook', data.id]}
        title={nameTarget(data.target)}
        about={
          <>
            {data.description && <div>{data.description}</div>}
            {data.target}
          </>
        }
        actions={
          <>
            <Button variant="default" component={Link} to={`/deliveries?webhook=${data.id}`}>
              {t('webhooks.deliveries')}
            </Button>
            <Resend webhook={data.id} />
            <EditWebhook webhook={data} />
            <PauseWebhook webhook={data} />
            <TestWebhook webhook={data} />
            <Confirm
              button={t('webhooks.delete')}
              title={t('webhooks.delete_title')}
              size="sm"
              danger
              act={() => api.post(`/webhooks/${data.id}/delete`)}
              done={onDeleted}
            >
              {t('webhooks.delete_text', { target: data.target })}
            </Confirm>
          </>
        }
      />
      <StateNotice webhook={data} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <WebhookFacts webhook={data} />
        </Stack>
        <SecretPanel webhook={data} changed={refetch} />
      </SimpleGrid>
    </>
  )
}

function WebhookFacts({ webhook }: { webhook: Endpoint }) {
  const { webhooks, waiting, failed, created, updated } = webhook
  return (
    <Facts
      title={t('webhooks.webhook')}
      facts={[
        [t('fields.state'), <HealthBadge key="state" webhook={webhook} />],
        [t('webhooks.events'), <EventNames key="events" webhook={webhook} />],
        [t('webhooks.retrying'), formatCount(waiting)],
        [t('webhooks.failed'), formatCount(failed)],
        [t('fields.created'), <Time key="created" at={created} />],
        [t('fields.changed'), <Time key="updated" at={updated} />],
        [t('webhooks.ids'), webhooks.map(({ id }) => id).join(', ')],
      ]}
    />
  )
}

/** Meaning of a webhook's state, with advice. */
function StateNotice({ webhook: { state, paused, failure } }: { webhook: Endpoint }) {
  if (state === 'unused') return <Alert mb="md">{t('webhooks.unused_about')}</Alert>
  if (state === 'paused')
    return (
      <Alert mb="md" color="yellow">
        <Trans i18nKey="webhooks.paused_about" components={{ time: <Time at={paused} /> }} />
      </Alert>
    )
  if (state !== 'failing' || failure === null) return null
  return (
    <Alert mb="md" color="red" title={failureText(failure)}>
      <FailureAdvice failure={failure} />
    </Alert>
  )
}

function SecretPanel({ webhook, changed }: { webhook: Endpoint; changed(): void }) {
  const show = useMutation({ mutationFn: () => api.post<{ secret: string }>(`/webhooks/${webhook.id}/secret`) })
  const rotate = useMutation({
    mutationFn: () => api.post<{ secret: string }>(`/webhooks/${webhook.id}/secret/rotate`),
    onSuccess: changed,
  })
  const secret = rotate.data?.secret ?? show.data?.secret
  return (
    <Panel title={t('webhooks.secret.title')} about={t('webhooks.secret.about')}>
      {webhook.previous_secret_expires && (
        <Text fz="sm">
          <Trans
            i18nKey="webhooks.secret.previous"
            components={{ time: <Time at={webhook.previous_secret_expires} /> }}
          />
        </Text>
      )}
      {secret && <CopyField label={t('webhooks.secret.title')} value={secret} />}
      <Problem error={show.error} />
      <Group>
        {!secret && (
          <Button variant="default" size="xs" loading={show.isPending} onClick={() => show.mutate()}>
            {t('webhooks.secret.show')}
          </Button>
        )}
        <Confirm
          button={t('webhooks.secret.rotate')}
          title={t('webhooks.secret.rotate_title')}
          act={() => rotate.mutateAsync()}
        >
          {t('webhooks.secret.rotate_text')}
        </Confirm>
      </Group>
    </Panel>
  )
}
