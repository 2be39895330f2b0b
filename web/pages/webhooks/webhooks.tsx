import { Anchor, Badge, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { nameEvent } from '../../event-types.ts'
import { formatCount } from '../../format.ts'
import { EventName } from '../../parts/event-name.tsx'
import { type Column, ListPage } from '../../parts/list-page.tsx'
import { Time } from '../../parts/time.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { Endpoint } from '../../wire.ts'
import { CredentialsButton } from './credentials.tsx'
import { failureText } from './failure.tsx'
import { NewWebhook } from './form.tsx'

const columns: Column<Endpoint>[] = [
  {
    name: 'address',
    title: t('webhooks.address'),
    value: (row) => (
      <>
        <Text span fz="sm" className="break-anywhere" inherit>
          {row.target}
        </Text>
        {row.description && (
          <Text fz="xs" c="dimmed">
            {row.description}
          </Text>
        )}
      </>
    ),
    file: (row) => row.target,
    beside: [{ title: t('fields.description'), file: (row) => row.description }],
  },
  {
    name: 'events',
    title: t('webhooks.events'),
    value: (row) => <EventNames webhook={row} />,
    file: ({ webhooks }) => webhooks.map(({ event }) => nameEvent(event)).join(', '),
  },
  {
    name: 'state',
    title: t('fields.state'),
    status: true,
    value: (row) => <HealthBadge webhook={row} />,
    file: (row) => t(`webhooks.state.${row.state}`),
  },
  {
    name: 'retrying',
    title: t('webhooks.retrying'),
    align: 'right',
    value: (row) => formatCount(row.waiting),
    file: (row) => row.waiting,
  },
  {
    name: 'failed',
    title: t('webhooks.failed'),
    align: 'right',
    value: (row) =>
      row.failed === 0 ? (
        '0'
      ) : (
        <Anchor component={Link} to={`/deliveries?webhook=${row.id}&state=failed`} inherit>
          {formatCount(row.failed)}
        </Anchor>
      ),
    file: (row) => row.failed,
  },
]

/** The list of webhooks with their health. */
export default function Webhooks() {
  return (
    <ListPage<Endpoint>
      title={t('shell.nav.webhooks')}
      about={t('webhooks.about')}
      path="/webhooks/health"
      rowLink={(row) => `/webhooks/${row.id}`}
      primary={<NewWebhook />}
      actions={<CredentialsButton />}
      empty={t('webhooks.none')}
      columns={columns}
    />
  )
}

/** Event types of a webhook, one below the other. */
export function EventNames({ webhook }: { webhook: Endpoint }) {
  return (
    <Stack gap={4}>
      {webhook.webhooks.map(({ id, event }) => (
        <div key={id}>
          <EventName type={event} />
        </div>
      ))}
    </Stack>
  )
}

const colors: Record<Endpoint['state'], string> = {
  unused: 'gray',
  active: 'green',
  failing: 'red',
  paused: 'yellow',
}

/** Show the state of a webhook: why and since when it fails, or since when it is paused. */
export function HealthBadge({ webhook }: { webhook: Endpoint }) {
  const { state, failure } = webhook
  const since = state === 'paused' ? webhook.paused : state === 'failing' ? webhook.failing_since : null
  return (
    <>
      <Badge variant="dot" color={colors[state]} tt="none" fw={500} miw="max-content">
        {t(`webhooks.state.${state}`)}
      </Badge>
      {state === 'failing' && failure && (
        <Text fz="xs" mt={2}>
          {failureText(failure)}
        </Text>
      )}
      {since && (
        <Text fz="xs" c="dimmed" mt={2}>
          <Trans i18nKey="webhooks.since" components={{ time: <Time at={since} /> }} />
        </Text>
      )}
    </>
  )
}
