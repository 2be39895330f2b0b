import { Tabs } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { t } from '../../texts/index.ts'

/** The reports, as tabs above each of them. */
export function ReportTabs() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <Tabs value={pathname} onChange={(path) => path && navigate({ to: path as never })}>
      <Tabs.List>
        <Tabs.Tab value="/reports">{t('receivables.sums')}</Tabs.Tab>
        <Tabs.Tab value="/reports/ageing">{t('receivables.ageing.title')}</Tabs.Tab>
        <Tabs.Tab value="/reports/unmatched">{t('receivables.unmatched.title')}</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  )
}
