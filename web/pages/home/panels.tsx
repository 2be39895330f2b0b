import { Alert, Anchor, Badge, Group, Progress, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import { formatCount } from '../../format.ts'
import { Money } from '../../parts/money.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { nameTarget } from '../../target-name.ts'
import { Trans, t } from '../../texts/index.ts'
import type { Figures, Overview } from '../../wire.ts'
import { describeReason } from '../collection-requests/failure-reason.ts'

/** Reasons for failed requests of the period, the most frequent first. */
export function Failures({ failures }: { failures: Figures['current']['failures'] }) {
  const max = Math.max(1, ...failures.map(({ count }) => count))
  return (
    <Panel title={t('home.failures.title')}>
      {failures.length === 0 && <EmptyNote>{t('home.failures.none')}</EmptyNote>}
      {failures.map(({ reason, count }) => (
        <Stack key={reason} gap={4}>
          <Group justify="space-between" wrap="nowrap">
            <Text fz="sm" className="any-break">
              {describeReason(reason)}
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
    <Alert color="orange" title={t('home.unassigned.title')} role="status">
      {totals.map(({ network, receiver, currency, count, amount }) => (
        <div key={`${network} ${receiver} ${currency}`}>
          <Trans
            i18nKey="home.unassigned.line"
            count={count}
            values={{ receiver, network }}
            components={{ money: <Money amount={amount} currency={currency} /> }}
          />
        </div>
      ))}
      <Anchor component={Link} to="/unassigned" inherit underline="always">
        {t('home.unassigned.assign')}
      </Anchor>
    </Alert>
  )
}

/** The balances of the wallets. */
export function Wallets({ wallets }: { wallets: Overview['wallets'] }) {
  return (
    <Panel title={t('home.wallets.title')}>
      {wallets.length === 0 && <EmptyNote>{t('home.wallets.none')}</EmptyNote>}
      {wallets.map(({ id, name, currency, balance, low }) => (
        <Group key={id} justify="space-between" wrap="nowrap">
          <Anchor component={Link} to={`/wallets/${id}`} fz="sm" c="inherit" underline="hover">
            {name}
          </Anchor>
          <Group gap="xs" wrap="nowrap">
            {low && (
              <Badge color="orange" variant="light" tt="none" title={t('home.wallets.low_about')}>
                {t('home.wallets.low')}
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
    <Panel title={t('home.health.title')}>
      {networks.length === 0 && <EmptyNote>{t('home.health.no_network')}</EmptyNote>}
      {networks.map(({ code, name, asked, unclear }) => (
        <Line
          key={code}
          name={t('home.health.network', { name, code })}
          good={unclear === 0}
          state={t(unclear === 0 ? 'home.health.answers' : 'home.health.unclear')}
        >
          {unclear === 0
            ? t('home.health.asked', { count: asked })
            : t('home.health.unclear_orders', { unclear, count: asked })}
        </Line>
      ))}
      {may('manage_integrations') && webhooks.length === 0 && <EmptyNote>{t('home.health.no_webhook')}</EmptyNote>}
      {webhooks.map(({ id, target, failing_since, waiting }) => (
        <Line
          key={id}
          name={
            <Anchor component={Link} to={`/webhooks/${id}`} inherit>
              {nameTarget(target)}
            </Anchor>
          }
          good={failing_since === null}
          state={t(failing_since ? 'home.health.failing' : 'home.health.active')}
        >
          {failing_since ? (
            <Trans
              i18nKey="home.health.failing_since"
              values={{ count: waiting }}
              components={{ time: <Time at={failing_since} /> }}
            />
          ) : (
            t('home.health.retrying', { count: waiting })
          )}
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
