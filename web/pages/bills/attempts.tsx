import { Paper, Table, Text, Title } from '@mantine/core'
import { formatMoney, formatWord } from '../../format.ts'
import { Time } from '../../parts/time.tsx'
import type { PurchaseDetail } from '../../wire.ts'

/** The providers that were tried for a purchase, in order, with what each said. */
export function Attempts({ purchase }: { purchase: PurchaseDetail }) {
  const { attempts, currency } = purchase
  return (
    <Paper withBorder>
      <Title order={2} fz="md" p="lg" pb="xs">
        Attempts
      </Title>
      <Table.ScrollContainer type="native" minWidth={700} tabIndex={0} role="region" aria-label="Attempts">
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Provider</Table.Th>
              <Table.Th>Bought as</Table.Th>
              <Table.Th ta="right">Cost</Table.Th>
              <Table.Th>Answer</Table.Th>
              <Table.Th>Reference</Table.Th>
              <Table.Th>Sent</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {attempts.map((attempt) => (
              <Table.Tr key={attempt.attempt}>
                <Table.Td>
                  {attempt.attempt}. {attempt.connection}
                </Table.Td>
                <Table.Td>
                  {[attempt.remote_service ?? purchase.service_type, attempt.remote_product].filter(Boolean).join(', ')}
                </Table.Td>
                <Table.Td ta="right" className="numeric">
                  {attempt.cost === null ? '—' : formatMoney(attempt.cost, currency)}
                </Table.Td>
                <Table.Td>
                  {attempt.outcome === null ? 'Not answered yet' : formatWord(attempt.outcome)}
                  {attempt.message && (
                    <Text fz="sm" c="dimmed">
                      {attempt.message}
                    </Text>
                  )}
                  {attempt.sold_after_all && (
                    <Text fz="sm" c="orange">
                      It said later that it has sold it: <Time at={attempt.sold_after_all} />
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  {attempt.reference}
                  {attempt.remote_id && (
                    <Text fz="sm" c="dimmed">
                      {attempt.remote_id}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Time at={attempt.sent} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}
