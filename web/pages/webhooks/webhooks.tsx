import { Anchor, Badge, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Time } from '../../parts/time.tsx'
import type { WebhookHealth } from '../../wire.ts'
import { CredentialsButton } from './credentials.tsx'
import { NewWebhook } from './new-webhook.tsx'

/** The list of webhooks with their health. */
export default function Webhooks() {
  return (
    <ListPage<WebhookHealth>
      title="Webhooks"
      about="Addresses of yours that are told of every event of a type."
      path="/webhooks/health"
      rowLink={(row) => `/webhooks/${row.id}`}
      actions={
        <>
          <CredentialsButton />
          <NewWebhook />
        </>
      }
      empty="Nobody is told of anything yet."
      poll_ms={5_000}
      columns={[
        { title: 'Event', value: (row) => row.event },
        {
          title: 'Address',
          value: (row) => (
            <Text span fz="sm" className="break-anywhere" inherit>
              {row.target}
            </Text>
          ),
        },
        { title: 'State', value: (row) => <HealthBadge webhook={row} /> },
        { title: 'Waiting', align: 'right', value: (row) => formatCount(row.waiting) },
        {
          title: 'Given up',
          align: 'right',
          value: (row) =>
            row.failed === 0 ? (
              '0'
            ) : (
              <Anchor component={Link} to={`/deliveries?webhook=${row.id}&state=failed`} inherit>
                {formatCount(row.failed)}
              </Anchor>
            ),
        },
      ]}
    />
  )
}

/** Shows `Works`, or since when the webhook fails. */
export function HealthBadge({ webhook }: { webhook: WebhookHealth }) {
  if (webhook.failing_since === null)
    return (
      <Badge variant="dot" color="green" tt="none" fw={500} miw="max-content">
        Works
      </Badge>
    )
  return (
    <>
      <Badge variant="dot" color="red" tt="none" fw={500} miw="max-content">
        Fails
      </Badge>
      <Text fz="xs" c="dimmed" mt={2}>
        since <Time at={webhook.failing_since} />
      </Text>
    </>
  )
}
