import { Anchor, Badge, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../../format.ts'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/index.ts'
import type { Overview } from '../../wire.ts'

type Kind = Overview['attention'][number]['kind']

/** Pages on which a person acts on each kind. */
const links: Record<Kind, { to: string; search?: Record<string, string> }> = {
  approvals: { to: '/payments', search: { payment_state: 'approval_requested' } },
  parked_payouts: { to: '/orders' },
  orders: { to: '/orders' },
  unmatched: { to: '/collections', search: { unmatched: 'true' } },
  bills: { to: '/bills' },
  overdue_invoices: { to: '/invoices', search: { overdue: 'true' } },
  late_reminders: { to: '/invoices', search: { state: 'issued' } },
  low_wallets: { to: '/wallets' },
  degraded_connections: { to: '/connections' },
  failing_webhooks: { to: '/webhooks' },
}

/** The service counts no further. */
const MAX_COUNT = 1_000

/** Tasks that wait for a person, each with its count and its page. */
export function NeedsAttention({ attention }: { attention: Overview['attention'] }) {
  return (
    <Panel title={t('home.attention.title')}>
      {attention.length === 0 && (
        <Text fz="sm" c="dimmed">
          {t('home.attention.none')}
        </Text>
      )}
      {attention.map(({ kind, count }) => (
        <Group key={kind} justify="space-between" wrap="nowrap">
          <Anchor component={Link} to={links[kind].to} search={links[kind].search as never} fz="sm">
            {t(`home.attention.${kind}`)}
          </Anchor>
          <Badge color="orange" variant="light" miw="max-content">
            {count >= MAX_COUNT ? t('home.attention.at_least', { number: formatCount(MAX_COUNT) }) : formatCount(count)}
          </Badge>
        </Group>
      ))}
    </Panel>
  )
}
