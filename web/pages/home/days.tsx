import { BarChart } from '@mantine/charts'
import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { formatMoney } from '../../format.ts'
import { Panel } from '../../parts/panel.tsx'
import { locale, t } from '../../texts/index.ts'
import type { Overview } from '../../wire.ts'

const DAYS = 14
const DAY_MS = 24 * 60 * 60 * 1_000

/** The collected money of each of the last days, in one currency. */
export function Days({ overview: { now, days } }: { overview: Overview }) {
  const currencies = [...new Set(days.map(({ currency }) => currency))]
  const [chosen, setChosen] = useState<string>()
  const currency = chosen && currencies.includes(chosen) ? chosen : currencies[0]
  const bars = lastDays(now).map((day) => {
    const total = days.find((one) => one.day === day && one.currency === currency)
    // Only the height of a bar is a float; the shown amount is exact.
    return { day: formatDay(day), exact: total?.amount ?? '0', collected: Number(total?.amount ?? 0) }
  })
  return (
    <Panel
      title={t('home.days.title')}
      actions={
        currencies.length > 1 && (
          <SegmentedControl
            size="xs"
            data={currencies}
            value={currency}
            onChange={setChosen}
            aria-label={t('home.days.currency')}
          />
        )
      }
    >
      {currency === undefined ? (
        <Text c="dimmed" fz="sm" py="xl" ta="center">
          {t('home.days.none')}
        </Text>
      ) : (
        <figure className="chart" aria-label={describe(bars, currency)}>
          <BarChart
            h={220}
            data={bars}
            dataKey="day"
            series={[{ name: 'collected', label: t('home.days.collected'), color: 'green.6' }]}
            gridAxis="x"
            tickLine="none"
            maxBarWidth={28}
            barProps={{ radius: [4, 4, 0, 0], isAnimationActive: false }}
            barChartProps={{ accessibilityLayer: false }}
            valueFormatter={(value) => formatCompact(value)}
            yAxisProps={{ width: 56 }}
            tooltipProps={{
              content: ({ label, payload }) => {
                const bar = payload?.[0]?.payload as (typeof bars)[number] | undefined
                return bar ? <div className="chart-tip">{`${label}: ${formatMoney(bar.exact, currency)}`}</div> : null
              },
            }}
          />
        </figure>
      )}
    </Panel>
  )
}

function lastDays(now: string): string[] {
  const today = Date.parse(`${now.slice(0, 10)}T00:00:00Z`)
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(today - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )
}

const dateFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

function formatDay(day: string): string {
  return dateFormat.format(new Date(`${day}T00:00:00Z`))
}

const compactFormat = new Intl.NumberFormat(locale, { notation: 'compact' })

function formatCompact(value: number): string {
  return compactFormat.format(value)
}

/** Describes the chart in text, for screen readers. */
function describe(bars: { day: string; exact: string; collected: number }[], currency: string): string {
  const lines = bars.filter((bar) => bar.collected > 0).map((bar) => `${bar.day}: ${formatMoney(bar.exact, currency)}`)
  return t('home.days.chart', { days: lines.join('; ') })
}
