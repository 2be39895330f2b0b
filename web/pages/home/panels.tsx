import { Alert, Anchor, Badge, Group, Progress, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount } from '../../format.ts'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import type { Overview } from '../../wire.ts'

/** The failures of this week by reason. */
export function Failures({ week: { failures } }: { week: Overview['week'] }) {
  const max = Math.max(1, ...failures.map(({ count }) => count))
  return (
    <Panel title="What went wrong this week">
      {failures.length === 0 && <EmptyNote>Nothing has failed.</EmptyNote>}
      {failures.map(({ reason, count }) => (
        <Stack key={reason} gap={4}>
          <Group justify="space-between" wrap="nowrap">
            <Text fz="sm" className="any-break">
              {reason}
            </Text>
            <Text fz="sm" fw={600} className="numeric">
              {formatCount(count)}
            </Text>
          </Group>
          <Progress value={(100 * count) / max} color="orange" size="sm" aria-hidden />
        </Stack>
      ))}
    </Panel>
  )
}

/** Money that has arrived and belongs to no wallet yet. */
export function UnassignedNotice({ totals }: { totals: Overview['unassigned'] }) {
  if (totals.length === 0) return null
  return (
    <Alert color="orange" title="Money has arrived that belongs to no wallet" role="status">
      {totals.map(({ network, receiver, currency, count, amount }) => (
        <div key={`${network} ${receiver} ${currency}`}>
          <Money amount={amount} currency={currency} /> in{' '}
          {count === 1 ? 'one payment' : `${formatCount(count)} payments`} to {receiver} on {network}
        </div>
      ))}
      <Anchor component={Link} to="/unassigned" inherit underline="always">
        Assign it to a wallet
      </Anchor>
    </Alert>
  )
}

/** The balances of the wallets. */
export function Wallets({ wallets }: { wallets: Overview['wallets'] }) {
  return (
    <Panel title="Wallets">
      {wallets.length === 0 && <EmptyNote>There is no wallet.</EmptyNote>}
      {wallets.map(({ id, name, currency, balance, low }) => (
        <Group key={id} justify="space-between" wrap="nowrap">
          <Anchor component={Link} to={`/wallets/${id}`} fz="sm" c="inherit" underline="hover">
            {name}
          </Anchor>
          <Group gap="xs" wrap="nowrap">
            {low && (
              <Badge
                color="orange"
                variant="light"
                tt="none"
                title="It holds less than left it within a week, or nothing."
              >
                Low
              </Badge>
            )}
            <Text fz="sm" fw={600}>
              <Money amount={balance} currency={currency} />
            </Text>
          </Group>
        </Group>
      ))}
    </Panel>
  )
}

/** The health of networks and webhooks. */
export function Health({ overview: { networks, webhooks } }: { overview: Overview }) {
  const { may } = useSession()
  return (
    <Panel title="Networks and webhooks">
      {networks.length === 0 && <EmptyNote>No network was asked within a day.</EmptyNote>}
      {networks.map(({ code, asked, unclear }) => (
        <Line key={code} name={`Network ${code}`} good={unclear === 0} state={unclear === 0 ? 'Answers' : 'Unclear'}>
          {unclear === 0
            ? `asked ${asked === 1 ? 'once' : `${formatCount(asked)} times`}`
            : `${formatCount(unclear)} of ${formatCount(asked)} orders without a clear answer`}
        </Line>
      ))}
      {may('manage_organization') && webhooks.length === 0 && <EmptyNote>There is no webhook yet.</EmptyNote>}
      {webhooks.map(({ id, event, failing_since, waiting }) => (
        <Line
          key={id}
          name={
            <Anchor component={Link} to={`/webhooks/${id}`} inherit>
              {event}
            </Anchor>
          }
          good={failing_since === null}
          state={failing_since ? 'Failing' : 'Works'}
        >
          {failing_since && (
            <>
              since <Time at={failing_since} />,{' '}
            </>
          )}
          {formatCount(waiting)} waiting
        </Line>
      ))}
    </Panel>
  )
}

function Line(props: { name: ReactNode; good: boolean; state: string; children: ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Text fz="sm" className="any-break">
          {props.name}
        </Text>
        <Text fz="xs" c="dimmed">
          {props.children}
        </Text>
      </div>
      <Badge variant="dot" color={props.good ? 'green' : 'orange'} tt="none" fw={500} miw="max-content">
        {props.state}
      </Badge>
    </Group>
  )
}

function EmptyNote({ children }: { children: ReactNode }) {
  return (
    <Text fz="sm" c="dimmed">
      {children}
    </Text>
  )
}
