import { Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { PendingChanges } from '../../parts/pending-change.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { Settings } from '../../wire.ts'
import { AcceptanceUrlPanel } from './acceptance-url.tsx'
import { ApprovalPanel } from './approval.tsx'
import { ApproversPanel } from './approvers.tsx'
import { FeesPanel } from './fees.tsx'
import { LimitsPanel } from './limits.tsx'
import { MatchingPanel } from './matching.tsx'
import { OrganizationPanel } from './organization.tsx'
import { PlacePanel } from './place.tsx'
import { SecondFactorRulePanel } from './second-factor.tsx'
import { SellerPanel } from './seller.tsx'
import { SendingPanel } from './service.tsx'

/** The settings of the organization. */
export default function SettingsPage() {
  const { data, error, refetch } = useQuery({ queryKey: ['/settings'], queryFn: () => api.get<Settings>('/settings') })
  return (
    <>
      <PageHead title={t('shell.nav.settings')} about={t('settings.about')} />
      <Stack maw={860}>
        <PendingChanges />
        <Problem error={error} retry={refetch} />
        {data ? <Panels settings={data} changed={refetch} /> : !error && <Loading />}
        <SendingPanel />
        <Anchor component={Link} to="/maintenance" fz="sm">
          {t('settings.maintenance.link')}
        </Anchor>
      </Stack>
    </>
  )
}

function Panels({ settings, changed }: { settings: Settings; changed(): void }) {
  const {
    organization,
    seller,
    alone,
    fees,
    approval,
    approver_limits,
    limits,
    matching,
    second_factor_required,
    hook,
  } = settings
  return (
    <>
      <OrganizationPanel organization={organization} />
      <PlacePanel organization={organization} changed={changed} />
      <SellerPanel seller={seller} changed={changed} />
      <ApprovalPanel rules={approval} changed={changed} />
      <ApproversPanel limits={approver_limits} changed={changed} />
      <LimitsPanel limits={limits} changed={changed} />
      <SecondFactorRulePanel required={second_factor_required} changed={changed} />
      <MatchingPanel thresholds={matching} changed={changed} />
      <AcceptanceUrlPanel hook={hook} changed={changed} />
      <FeesPanel fees={fees} alone={alone} changed={changed} />
    </>
  )
}
