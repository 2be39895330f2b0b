import { Anchor, Paper, SegmentedControl, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { parseAmount } from '../../../src/lib/money.ts'
import { formatCount, formatMoney, formatPercent } from '../../format.ts'
import { Money } from '../../parts/money.tsx'
import { t } from '../../texts/index.ts'
import type { Figures } from '../../wire.ts'

export type Totals = Figures['current']
type MoneyRow = Totals['money'][number]

const NOTHING = { count: 0, gross: '0', returned: '0', fees: '0', net: '0' }

/** Return the currencies of money in the period or the one before, the most used first. */
export function currenciesOf({ current, before }: Figures): string[] {
  return [...new Set([...current.money, ...before.money].map(({ currency }) => currency))]
}

export function moneyIn(rows: readonly MoneyRow[], currency: string | undefined): Omit<MoneyRow, 'currency'> {
  return rows.find((row) => row.currency === currency) ?? NOTHING
}

/** The choice of the currency for the whole page, if there are several. */
export function CurrencyPicker(props: {
  currencies: string[]
  value: string | undefined
  onChange(code: string): void
}) {
  const { currencies, value, onChange } = props
  if (currencies.length < 2) return null
  return (
    <SegmentedControl
      size="xs"
      data={currencies}
      value={value}
      onChange={onChange}
      aria-label={t('home.days.currency')}
    />
  )
}

/**
 * Incoming money, refunds and charges, the rest, and the share of successful requests, each beside the period before.
 */
export function Tiles(props: { figures: Figures; currency: string | undefined; open: number }) {
  const { figures, currency, open } = props
  const { current, before } = figures
  const now = moneyIn(current.money, currency)
  const then = moneyIn(before.money, currency)
  const moneyTile = (title: string, name: 'gross' | 'fees' | 'returned' | 'net', about?: string) => (
    <Tile title={title} about={about} change={moneyChange(now[name], then[name], currency)}>
      {currency === undefined ? '—' : <Money amount={now[name]} currency={currency} />}
    </Tile>
  )
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
      {moneyTile(t('home.tiles.gross'), 'gross', t('home.tiles.payments', { count: now.count }))}
      {moneyTile(t('home.tiles.fees'), 'fees')}
      {moneyTile(t('home.tiles.returned'), 'returned')}
      {moneyTile(t('home.tiles.net'), 'net', t('home.tiles.net_about'))}
      <Tile
        title={t('home.tiles.success_rate')}
        about={t('home.tiles.of_ended', { successful: current.requests.successful, count: current.requests.ended })}
        change={
          before.requests.ended === 0
            ? t('home.change.none')
            : t('home.change.rate', { before: formatRate(before.requests) })
        }
      >
        {formatRate(current.requests)}
      </Tile>
      <Tile title={t('home.open_requests')}>
        <Anchor component={Link} to="/collectionrequests" inherit c="inherit" underline="hover">
          {formatCount(open)}
        </Anchor>
      </Tile>
    </SimpleGrid>
  )
}

/** The part of ended requests that succeeded: `87.5%`. */
export function formatRate({ ended, successful }: { ended: number; successful: number }): string {
  return ended === 0 ? '—' : formatPercent(Math.round((1_000 * successful) / ended) / 10)
}

/** Describe the change of an amount from the period before, in a sentence. */
function moneyChange(now: string, then: string, currency: string | undefined): string {
  const [a, b] = [parseAmount(now) ?? 0n, parseAmount(then) ?? 0n]
  if (b === 0n) return t('home.change.none')
  const values = { before: formatMoney(then, currency), percent: '' }
  if (a === b) return t('home.change.same', { before: values.before })
  const size = b < 0n ? -b : b
  // Tenths of a percent, in whole numbers.
  const tenths = Number(((a > b ? a - b : b - a) * 1_000n) / size)
  values.percent = formatPercent(tenths / 10)
  return t(a > b ? 'home.change.more' : 'home.change.less', values)
}

function Tile(props: { title: string; about?: string; change?: string; children: ReactNode }) {
  const { title, about, change, children } = props
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Text fz="sm" c="dimmed">
        {title}
      </Text>
      <Text fz={26} fw={700} mt={4} component="div" className="numeric any-break" lh={1.25}>
        {children}
      </Text>
      {about && <Text fz="xs">{about}</Text>}
      <Text fz="xs" c="dimmed">
        {change}
      </Text>
    </Paper>
  )
}
