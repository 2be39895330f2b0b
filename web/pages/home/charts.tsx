import { BarChart, LineChart } from '@mantine/charts'
import { Group, Progress, Stack, Text } from '@mantine/core'
import { formatCompact, formatMoney, formatPair, formatPercent, joinParts } from '../../format.ts'
import { Panel } from '../../parts/panel.tsx'
import { locale, t } from '../../texts/index.ts'
import type { Figures } from '../../wire.ts'
import { formatRate, moneyIn, type Totals } from './tiles.tsx'

/** The money of each day, in one currency. */
export function CollectedChart({ figures: { days }, currency }: { figures: Figures; currency: string | undefined }) {
  const bars = days.map(({ day, money }) => {
    const { gross } = moneyIn(money, currency)
    // Only the height of a bar is a float; the shown amount is exact.
    return { day: formatDay(day), exact: gross, collected: Number(gross) }
  })
  const shown = bars.filter(({ collected }) => collected > 0)
  return (
    <Panel title={t('home.days.title')}>
      {shown.length === 0 ? (
        <Empty>{t('home.days.none')}</Empty>
      ) : (
        <figure
          className="chart"
          aria-label={t('home.days.chart', {
            days: joinParts(shown.map((bar) => formatPair(bar.day, formatMoney(bar.exact, currency)))),
          })}
        >
          <BarChart
            {...chart}
            data={bars}
            series={[{ name: 'collected', label: t('home.days.collected'), color: 'green.6' }]}
            maxBarWidth={28}
            barProps={{ radius: [4, 4, 0, 0], isAnimationActive: false }}
            barChartProps={{ accessibilityLayer: false }}
            valueFormatter={formatCompact}
            tooltipProps={{
              content: ({ payload }) => {
                const bar = payload?.[0]?.payload as (typeof bars)[number] | undefined
                return <Tip day={bar?.day} text={formatMoney(bar?.exact ?? '0', currency)} />
              },
            }}
          />
        </figure>
      )}
    </Panel>
  )
}

/** The part of each day's requests that succeeded. Days without ended requests leave a gap. */
export function RateChart({ figures: { days } }: { figures: Figures }) {
  const points = days.map(({ day, requests }) => ({
    day: formatDay(day),
    exact: formatRate(requests),
    rate: requests.ended === 0 ? null : (100 * requests.successful) / requests.ended,
  }))
  const shown = points.filter(({ rate }) => rate !== null)
  return (
    <Panel title={t('home.rates.title')}>
      {shown.length === 0 ? (
        <Empty>{t('home.rates.none')}</Empty>
      ) : (
        <figure
          className="chart"
          aria-label={t('home.rates.chart', { days: joinParts(shown.map(({ day, exact }) => formatPair(day, exact))) })}
        >
          <LineChart
            {...chart}
            data={points}
            series={[{ name: 'rate', label: t('home.tiles.success_rate'), color: 'green.6' }]}
            yAxisProps={{ width: 64, domain: [0, 100] }}
            lineProps={{ isAnimationActive: false }}
            lineChartProps={{ accessibilityLayer: false }}
            valueFormatter={formatPercent}
            tooltipProps={{
              content: ({ payload }) => {
                const point = payload?.[0]?.payload as (typeof points)[number] | undefined
                return <Tip day={point?.day} text={point?.exact ?? ''} />
              },
            }}
          />
        </figure>
      )}
    </Panel>
  )
}

/** Results of each network's requests, beside the period before. */
export function Networks({ current, before }: { current: Totals; before: Totals }) {
  return (
    <Panel title={t('home.rates.by_network')}>
      {current.networks.length === 0 && <Empty>{t('home.rates.none')}</Empty>}
      {current.networks.map((row) => {
        const then = before.networks.find(({ network }) => network === row.network)
        return (
          <Stack key={row.network} gap={4}>
            <Group justify="space-between" wrap="nowrap">
              <Text fz="sm" className="any-break">
                {row.name}
              </Text>
              <Text fz="sm" fw={600} className="numeric" miw="max-content">
                {formatRate(row)}
              </Text>
            </Group>
            <Progress value={(100 * row.successful) / Math.max(1, row.ended)} size="sm" aria-hidden />
            <Text fz="xs" c="dimmed">
              {t('home.tiles.of_ended', { successful: row.successful, count: row.ended })}
              {then && ` · ${t('home.change.rate', { before: formatRate(then) })}`}
            </Text>
          </Stack>
        )
      })}
    </Panel>
  )
}

const chart = {
  h: 220,
  dataKey: 'day',
  gridAxis: 'x',
  tickLine: 'none',
  yAxisProps: { width: 64 },
  xAxisProps: { interval: 'equidistantPreserveStart', padding: { left: 24, right: 24 } },
} as const

function Tip({ day, text }: { day: string | undefined; text: string }) {
  return day === undefined ? null : <div className="chart-tip">{formatPair(day, text)}</div>
}

function Empty({ children }: { children: string }) {
  return (
    <Text c="dimmed" fz="sm" py="xl" ta="center">
      {children}
    </Text>
  )
}

const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

function formatDay(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`))
}
