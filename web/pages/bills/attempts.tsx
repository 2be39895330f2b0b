import { Paper, Text, Title } from '@mantine/core'
import { formatMoney, formatWord } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/time.tsx'
import { Trans, t } from '../../texts/index.ts'
import { translateMessage } from '../../texts/messages.ts'
import type { PurchaseDetail } from '../../wire.ts'

type Attempt = PurchaseDetail['attempts'][number]

/** Providers tried for a purchase, in order, with their answers. */
export function Attempts({ purchase }: { purchase: PurchaseDetail }) {
  const { attempts, currency, service_name } = purchase
  return (
    <Paper withBorder>
      <Title order={2} fz="md" p="lg" pb="xs">
        {t('bills.attempts.title')}
      </Title>
      <DataTable
        title={t('bills.attempts.title')}
        rows={attempts}
        keyOf={({ attempt }) => attempt}
        columns={[
          { title: t('bills.provider'), value: ({ attempt, connection }) => `${attempt}. ${connection}` },
          {
            title: t('bills.attempts.product'),
            value: ({ remote_service, remote_product }) =>
              [remote_service ?? service_name, remote_product].filter(Boolean).join(', '),
          },
          {
            title: t('bills.attempts.cost'),
            align: 'right',
            value: ({ cost }) => (cost === null ? '—' : formatMoney(cost, currency)),
          },
          { title: t('bills.attempts.answer'), value: (attempt) => <Answer attempt={attempt} /> },
          { title: t('fields.reference'), value: (attempt) => <Reference attempt={attempt} /> },
          { title: t('bills.attempts.sent'), value: ({ sent }) => <Time at={sent} /> },
        ]}
      />
    </Paper>
  )
}

function Answer({ attempt: { outcome, message, sold_after_all } }: { attempt: Attempt }) {
  return (
    <>
      {outcome === null ? t('bills.attempts.no_answer') : formatWord(outcome, 'answer')}
      {message && (
        <Text fz="sm" c="dimmed">
          {translateMessage(message)}
        </Text>
      )}
      {sold_after_all && (
        <Text fz="sm" fw={600}>
          <Trans i18nKey="bills.attempts.sold_after_all" components={{ time: <Time at={sold_after_all} /> }} />
        </Text>
      )}
    </>
  )
}

/** Our reference, and the provider's id if known. */
function Reference({ attempt: { reference, remote_id } }: { attempt: Attempt }) {
  return (
    <span className="any-break">
      {reference}
      {remote_id && (
        <Text fz="sm" c="dimmed">
          {t('bills.attempts.provider_id', { id: remote_id })}
        </Text>
      )}
    </span>
  )
}
