import { BarChart } from '@mantine/charts'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { formatCompact, formatMoney, formatPair, joinParts } from '../../format.ts'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/index.ts'
import type { ReportRow } from '../../wire.ts'

const CHART_HEIGHT_PX = 220

/** The net sum of each group, in one currency. Only the height of a bar is a float; the shown amount is exact. */
export default function ReportChart({ rows, nameOf }: { rows: ReportRow[]; nameOf(row: ReportRow): string }) {
  const currencies = [...new Set(rows.map(({ currency }) => currency))]
  const [chosen, setChosen] = useState<string>()
  const currency = chosen && currencies.includes(chosen) ? chosen : currencies[0]!
  const bars = rows
    .filter((row) => row.currency === currency)
    .map((row) => ({ name: nameOf(row), exact: row.net, net: Number(row.net) }))
  const described = joinParts(bars.map(({ name, exact }) => formatPair(name, formatMoney(exact, currency))))
  return (
    <Panel
      title={t('reports.net')}
      actions={
        currencies.length > 1 && (
          <SegmentedControl
            size="xs"
            data={currencies}
            value={currency}
            onChange={setChosen}
            aria-label={t('fields.currency')}
          />
        )
      }
    >
      <figure className="chart" aria-label={described}>
        <BarChart
          h={CHART_HEIGHT_PX}
          data={bars}
          dataKey="name"
          series={[{ name: 'net', label: t('reports.net'), color: 'green.6' }]}
          gridAxis="x"
          tickLine="none"
          maxBarWidth={28}
          barProps={{ radius: [4, 4, 0, 0], isAnimationActive: false }}
          barChartProps={{ accessibilityLayer: false }}
          valueFormatter={formatCompact}
          yAxisProps={{ width: 64 }}
          tooltipProps={{
            content: ({ payload }) => {
              const bar = payload?.[0]?.payload as (typeof bars)[number] | undefined
              return bar ? (
                <div className="chart-tip">{formatPair(bar.name, formatMoney(bar.exact, currency))}</div>
              ) : null
            },
          }}
        />
      </figure>
    </Panel>
  )
}
