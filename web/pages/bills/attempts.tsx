import { Paper, Text, Title } from '@mantine/core'
import { formatMoney, formatWord } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/time.tsx'
import type { PurchaseDetail } from '../../wire.ts'

type Attempt = PurchaseDetail['attempts'][number]

/** The providers that were tried for a purchase, in order, with what each answered. */
export function Attempts({ purchase }: { purchase: PurchaseDetail }) {
  const { attempts, currency, service_type } = purchase
  return (
    <Paper withBorder>
      <Title order={2} fz="md" p="lg" pb="xs">
        Attempts
      </Title>
      <DataTable
        title="Attempts"
        rows={attempts}
        keyOf={({ attempt }) => attempt}
        columns={[
          { title: 'Provider', value: ({ attempt, connection }) => `${attempt}. ${connection}` },
          {
            title: 'Product',
            value: ({ remote_service, remote_product }) =>
              [remote_service ?? service_type, remote_product].filter(Boolean).join(', '),
          },
          {
            title: 'Cost',
            align: 'right',
            value: ({ cost }) => (cost === null ? '—' : formatMoney(cost, currency)),
          },
          { title: 'Answer', value: (attempt) => <Answer of={attempt} /> },
          { title: 'Reference', value: (attempt) => <Reference of={attempt} /> },
          { title: 'Sent', value: ({ sent }) => <Time at={sent} /> },
        ]}
      />
    </Paper>
  )
}

function Answer({ of: { outcome, message, sold_after_all } }: { of: Attempt }) {
  return (
    <>
      {outcome === null ? 'No answer yet' : formatWord(outcome)}
      {message && (
        <Text fz="sm" c="dimmed">
          {message}
        </Text>
      )}
      {sold_after_all && (
        <Text fz="sm" fw={600}>
          Sold after all, as the provider said later: <Time at={sold_after_all} />
        </Text>
      )}
    </>
  )
}

/** Ours, and the provider's id where it has told one. */
function Reference({ of: { reference, remote_id } }: { of: Attempt }) {
  return (
    <span className="any-break">
      {reference}
      {remote_id && (
        <Text fz="sm" c="dimmed">
          Provider’s id: {remote_id}
        </Text>
      )}
    </span>
  )
}
