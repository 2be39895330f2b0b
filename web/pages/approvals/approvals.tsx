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
import { FileLine } from './files.tsx'
import { MyPayments } from './my-payments.tsx'
import { PaymentLine } from './payment-line.tsx'
import { PurchaseLine } from './purchases.tsx'
import { useApprovals } from './queries.ts'

/** Show the payments, bills and changes that wait for approval: first those for this user, then those for others. */
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

function Queue({ queue }: { queue: ApprovalQueue }) {
  const { payments, payments_count, files, files_count, purchases, purchases_count, changes } = queue
  const { may, user } = useSession()
  const [decided, setDecided] = useState<Decided>()
  const my_payments = payments.filter(({ obstacle }) => obstacle === null)
  const others = payments.filter(({ obstacle }) => obstacle !== null)
  const my_files = files.filter(({ obstacle }) => obstacle === null)
  const other_files = files.filter(({ obstacle }) => obstacle !== null)
  const my_bills = purchases.filter(({ obstacle }) => obstacle === null)
  const other_bills = purchases.filter(({ obstacle }) => obstacle !== null)
  const listed = payments.length + files.length + purchases.length
  const unlisted = payments_count + files_count + purchases_count - listed
  const own = changes.filter(({ author }) => author === user?.id)
  return (
    <Stack>
      {decided?.link && <LinkNotice {...decided.link} close={() => setDecided(undefined)} />}
      {may('approve_payments') && (my_payments.length > 0 || my_files.length === 0) && (
        <MyPayments payments={my_payments} />
      )}
      {my_files.length > 0 && (
        <Panel title={t('approvals.files.title')} about={t('approvals.files.about')}>
          {my_files.map((file) => (
            <FileLine key={file.id} file={file} />
          ))}
        </Panel>
      )}
      {my_bills.length > 0 && (
        <Panel title={t('approvals.bills.title')}>
          {my_bills.map((purchase) => (
            <PurchaseLine key={purchase.id} purchase={purchase} />
          ))}
        </Panel>
      )}
      {may('manage_organization') && (
        <Panel title={t('approvals.changes.title')} about={t('approvals.changes.about')}>
          <Changes changes={changes.filter((one) => !own.includes(one))} done={setDecided} />
        </Panel>
      )}
      <Panel title={t('approvals.others.title')} about={t('approvals.others.about')}>
        {others.map((payment) => (
          <PaymentLine key={payment.id} payment={payment} />
        ))}
        {other_files.map((file) => (
          <FileLine key={file.id} file={file} />
        ))}
        {other_bills.map((purchase) => (
          <PurchaseLine key={purchase.id} purchase={purchase} />
        ))}
        {own.length > 0 && <Changes changes={own} done={setDecided} />}
        {others.length + other_files.length + other_bills.length + own.length === 0 && (
          <Text fz="sm">{t('approvals.others.none')}</Text>
        )}
      </Panel>
      {unlisted > 0 && (
        <Text fz="sm" c="dimmed">
          {t('approvals.more', { count: unlisted })}
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
