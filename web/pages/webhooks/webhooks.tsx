import { Anchor, Badge, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../../format.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Time } from '../../parts/time.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { WebhookHealth } from '../../wire.ts'
import { CredentialsButton } from './credentials.tsx'
import { NewWebhook } from './new-webhook.tsx'

/** The list of webhooks with their health. */
export default function Webhooks() {
  return (
    <ListPage<WebhookHealth>
      title={t('shell.nav.webhooks')}
      about={t('webhooks.about')}
      path="/webhooks/health"
      rowLink={(row) => `/webhooks/${row.id}`}
      actions={
        <>
          <CredentialsButton />
          <NewWebhook />
        </>
      }
      empty={t('webhooks.none')}
      poll_ms={5_000}
      columns={[
        { title: t('webhooks.event'), value: (row) => row.event },
        {
          title: t('webhooks.address'),
          value: (row) => (
            <Text span fz="sm" className="break-anywhere" inherit>
              {row.target}
            </Text>
          ),
        },
        { title: t('fields.state'), value: (row) => <HealthBadge webhook={row} /> },
        { title: t('webhooks.retrying'), align: 'right', value: (row) => formatCount(row.waiting) },
        {
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
        },
      ]}
    />
  )
}

/** Shows `Active`, or since when the webhook is failing. */
export function HealthBadge({ webhook }: { webhook: WebhookHealth }) {
  if (webhook.failing_since === null)
    return (
      <Badge variant="dot" color="green" tt="none" fw={500} miw="max-content">
        {t('webhooks.active')}
      </Badge>
    )
  return (
    <>
      <Badge variant="dot" color="red" tt="none" fw={500} miw="max-content">
        {t('webhooks.failing')}
      </Badge>
      <Text fz="xs" c="dimmed" mt={2}>
        <Trans i18nKey="webhooks.since" components={{ time: <Time at={webhook.failing_since} /> }} />
      </Text>
    </>
  )
}
