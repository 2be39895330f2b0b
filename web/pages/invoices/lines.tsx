import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { t } from '../../texts/index.ts'

/** Line in the editor. */
export interface EditedLine {
  text: string
  quantity: string
  unit_price: string
  tax_rate: string
}

const fields = [
  { name: 'quantity', label: t('invoices.lines.quantity') },
  { name: 'unit_price', label: t('invoices.lines.unit_price') },
  { name: 'tax_rate', label: t('invoices.lines.tax_rate') },
] as const

/** The lines of an invoice, which can be added and removed. */
export function Lines(props: { value: EditedLine[]; onChange(value: EditedLine[]): void; error?: ReactNode }) {
  const { value, onChange, error } = props
  const change = (index: number, part: Partial<EditedLine>) =>
    onChange(value.map((one, at) => (at === index ? { ...one, ...part } : one)))
  return (
    <Stack gap="xs">
      {value.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity while they are edited
        <Paper withBorder p="sm" key={index}>
          <TextInput
            label={t('invoices.lines.line', { number: index + 1 })}
            placeholder={t('invoices.lines.text_example')}
            value={line.text}
            onChange={(event) => change(index, { text: event.currentTarget.value })}
          />
          <Group align="flex-start" wrap="nowrap" mt="xs" gap="xs">
            {fields.map(({ name, label }) => {
              const common = {
                label,
                value: line[name],
                'aria-label': t('invoices.lines.field', { field: label, number: index + 1 }),
              }
              return name === 'unit_price' ? (
                <AmountInput
                  key={name}
                  {...common}
                  flex={8}
                  miw={0}
                  onChange={(text) => change(index, { [name]: text })}
                />
              ) : (
                <TextInput
                  key={name}
                  {...common}
                  flex={5}
                  miw={0}
                  inputMode="decimal"
                  onChange={(event) => change(index, { [name]: event.currentTarget.value })}
                />
              )
            })}
          </Group>
          {value.length > 1 && (
            <Group justify="flex-end" mt="xs">
              <Button variant="default" size="xs" onClick={() => onChange(value.filter((_, at) => at !== index))}>
                {t('invoices.lines.remove', { number: index + 1 })}
              </Button>
            </Group>
          )}
        </Paper>
      ))}
      {error && (
        <Text c="red.9" fz="sm" role="alert">
          {error}
        </Text>
      )}
      <Group>
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange([...value, { text: '', quantity: '1', unit_price: '', tax_rate: '' }])}
        >
          {t('invoices.lines.add')}
        </Button>
      </Group>
    </Stack>
  )
}

/**
 * Convert the lines to the form of the interface. @param all includes incomplete lines, so that the service names their
 * faults
 */
export function toLines(lines: readonly EditedLine[], all = false): object[] {
  return lines
    .filter(({ text, unit_price }) => all || (text.trim() !== '' && unit_price.trim() !== ''))
    .map(({ text, quantity, unit_price, tax_rate }) => ({
      text,
      quantity,
      unit_price,
      tax_rate: tax_rate || undefined,
    }))
}
