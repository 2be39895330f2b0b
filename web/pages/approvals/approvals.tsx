import { Paper, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Time } from '../../parts/time.tsx'
import { useSession } from '../../session.tsx'
import { Trans, t } from '../../texts/index.ts'
import type { ApprovalQueue, ControlChange } from '../../wire.ts'
import { ChangeButtons, type Decided, LinkNotice } from '../changes/decide.tsx'
import { MyPayments } from './my-payments.tsx'
import { PaymentLine } from './payment-line.tsx'
import { useApprovals } from './queries.ts'

/** The payments and changes that wait for approval: first what waits for this user, then what waits for others. */
export default function Approvals() {
  const { data, error, refetch } = useApprovals()
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  return (
    <>
      <PageHead title={t('shell.nav.approvals')} about={t('approvals.about')} />
      {data ? <Queue queue={data} /> : <Loading />}
    </>
  )
}

function Queue({ queue: { payments, payments_count, changes } }: { queue: ApprovalQueue }) {
  const { may, user } = useSession()
  const [decided, setDecided] = useState<Decided>()
  const others = payments.filter(({ obstacle }) => obstacle !== null)
  const own = changes.filter(({ author }) => author === user?.id)
  return (
    <Stack>
      {decided?.link && <LinkNotice {...decided.link} close={() => setDecided(undefined)} />}
      {may('approve_payments') && <MyPayments payments={payments.filter(({ obstacle }) => obstacle === null)} />}
      {may('manage_organization') && (
        <Panel title={t('approvals.changes.title')} about={t('approvals.changes.about')}>
          <Changes changes={changes.filter((one) => !own.includes(one))} done={setDecided} />
        </Panel>
      )}
      <Panel title={t('approvals.others.title')} about={t('approvals.others.about')}>
        {others.map((payment) => (
          <PaymentLine key={payment.id} payment={payment} />
        ))}
        {own.length > 0 && <Changes changes={own} done={setDecided} />}
        {others.length + own.length === 0 && <Text fz="sm">{t('approvals.others.none')}</Text>}
      </Panel>
      {payments_count > payments.length && (
        <Text fz="sm" c="dimmed">
          {t('approvals.more', { count: payments_count - payments.length })}
        </Text>
      )}
    </Stack>
  )
}

function Changes({ changes, done }: { changes: readonly ControlChange[]; done(decided: Decided): void }) {
  if (changes.length === 0) return <Text fz="sm">{t('approvals.changes.none')}</Text>
  return changes.map((change) => (
    <Paper key={change.id} withBorder p="sm">
      <Stack gap="xs" align="flex-start">
        <Text fz="sm">{change.description}</Text>
        <Text fz="xs" c="dimmed" component="div">
          <Trans
            i18nKey="approvals.requested_by"
            values={{ name: change.author_name ?? t('changes.operator') }}
            components={{ time: <Time at={change.created} /> }}
          />
        </Text>
        <ChangeButtons change={change} done={done} />
      </Stack>
    </Paper>
  ))
}
