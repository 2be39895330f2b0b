import { Divider, Group, Stack, Table, Text } from '@mantine/core'
import { formatMoney } from '../../format.ts'
import { t } from '../../texts/index.ts'
import type { Invoice } from '../../wire.ts'

type Content = Pick<Invoice, 'lines' | 'taxes' | 'subtotal' | 'total' | 'notes'> & { currency: string }

/** The lines and sums of an invoice, as the customer reads them. */
export function InvoiceSheet({ content }: { content: Content }) {
  const { lines, taxes, subtotal, total, notes, currency } = content
  return (
    <Stack gap="sm">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('invoices.lines.description')}</Table.Th>
            <Table.Th ta="right">{t('invoices.lines.amount')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            <Table.Tr key={index}>
              <Table.Td className="any-break">
                {line.tax_rate === null
                  ? line.text
                  : t('invoices.lines.text_and_tax', { text: line.text, rate: formatMoney(line.tax_rate) })}
                <Text fz="sm" c="dimmed" className="numeric">
                  {formatMoney(line.quantity)} × {formatMoney(line.unit_price)}
                </Text>
              </Table.Td>
              <Table.Td ta="right" className="numeric" style={{ whiteSpace: 'nowrap' }}>
                {formatMoney(line.amount)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {taxes.length > 0 && <Sum name={t('invoices.lines.subtotal')} value={formatMoney(subtotal, currency)} />}
      {taxes.map(({ rate, amount, net }) => (
        <Sum
          key={rate}
          name={t('invoices.lines.tax', { rate: formatMoney(rate), net: formatMoney(net) })}
          value={formatMoney(amount, currency)}
        />
      ))}
      <Divider />
      <Sum name={t('invoices.lines.total')} value={formatMoney(total, currency)} strong />
      {notes !== '' && (
        <Text fz="sm" className="any-break" style={{ whiteSpace: 'pre-line' }}>
          {notes}
        </Text>
      )}
    </Stack>
  )
}

function Sum({ name, value, strong }: { name: string; value: string; strong?: boolean }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text fz="sm" fw={strong ? 700 : undefined}>
        {name}
      </Text>
      <Text fz="sm" fw={strong ? 700 : undefined} className="numeric" style={{ whiteSpace: 'nowrap' }}>
        {value}
      </Text>
    </Group>
  )
}
