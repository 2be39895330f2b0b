import { Group, Select, Table, Text, TextInput } from '@mantine/core'
import { api } from '../../api.ts'
import { formatMoney, formatPercent, formatWord } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { Fee, Settings } from '../../wire.ts'
import { useCurrencies } from './use-currencies.ts'

/** The kinds of fees. The compiler checks that none is missing. */
const kinds: Record<Fee['kind'], string> = {
  collection: 'Collection',
  payment: 'Payment',
  airtime: 'Airtime',
  bill: 'Bill',
  return: 'Return',
  refund: 'Refund',
}

/** The fees. An organization can set them only when it is the only one. */
export function FeesPanel({ fees, alone, changed }: Pick<Settings, 'fees' | 'alone'> & { changed(): void }) {
  return (
    <Panel
      title="Fees"
      about={alone ? 'What is charged from now on.' : 'What you are charged. An operator sets them.'}
      actions={alone && <FeeForm />}
    >
      {fees.length === 0 ? (
        <Text fz="sm">Nothing costs anything.</Text>
      ) : (
        <Table.ScrollContainer type="native" minWidth={560} tabIndex={0} role="region" aria-label="Table of fees">
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>For</Table.Th>
                <Table.Th>Network</Table.Th>
                <Table.Th>Fee</Table.Th>
                {alone && (
                  <Table.Th>
                    <span className="visually-hidden">What can be done</span>
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {fees.map((fee) => (
                <Table.Tr key={fee.id}>
                  <Table.Td>
                    {kinds[fee.kind]} in {fee.currency}
                  </Table.Td>
                  <Table.Td>{fee.network ? formatWord(fee.network) : 'Every'}</Table.Td>
                  <Table.Td>{describeFee(fee)}</Table.Td>
                  {alone && (
                    <Table.Td ta="right">
                      <Confirm
                        button="Remove"
                        title="Charge it no longer?"
                        act={() => api.delete(`/settings/fees/${fee.id}`)}
                        done={changed}
                      >
                        {kinds[fee.kind]} in {fee.currency}: {describeFee(fee)}. What was accepted before keeps its fee.
                      </Confirm>
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Panel>
  )
}

function describeFee({ fixed, percent, min_fee, max_fee, currency }: Fee): string {
  const isSet = (amount: string) => /[1-9]/.test(amount)
  const parts = [
    isSet(fixed) && formatMoney(fixed, currency),
    isSet(percent) && formatPercent(percent),
    isSet(min_fee) && `at least ${formatMoney(min_fee)}`,
    max_fee !== null && `at most ${formatMoney(max_fee)}`,
  ]
  return parts.filter(Boolean).join(', ') || 'Nothing'
}

function FeeForm() {
  const currencies = useCurrencies()
  return (
    <FormDialog
      button="Set a fee"
      title="Charge a fee"
      submit="Set"
      look={{ variant: 'default', size: 'xs' }}
      initial={{
        kind: 'payment',
        currency: currencies[0] ?? '',
        network: '',
        fixed: '',
        percent: '',
        min_fee: '',
        max_fee: '',
      }}
      send={(values) => api.put('/settings/fees', values)}
      done="It is charged from now on."
      fields={(form) => (
        <>
          <Group grow align="flex-start">
            <Select
              label="For each"
              data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
              allowDeselect={false}
              data-autofocus
              {...form.getInputProps('kind')}
            />
            <Select label="In" data={currencies} allowDeselect={false} {...form.getInputProps('currency')} />
          </Group>
          <TextInput
            label="Network"
            description="Its code. Left empty: every network that has no fee of its own."
            {...form.getInputProps('network')}
          />
          <Group grow align="flex-start">
            <TextInput label="Fixed" inputMode="decimal" {...form.getInputProps('fixed')} />
            <TextInput label="Percent" inputMode="decimal" {...form.getInputProps('percent')} />
          </Group>
          <Group grow align="flex-start">
            <TextInput label="Never less than" inputMode="decimal" {...form.getInputProps('min_fee')} />
            <TextInput label="Never more than" inputMode="decimal" {...form.getInputProps('max_fee')} />
          </Group>
        </>
      )}
    />
  )
}
