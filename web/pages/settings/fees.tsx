import { Select, Table, Text, TextInput } from '@mantine/core'
import { api } from '../../api.ts'
import { formatMoney, formatPercent, formatWord } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { t } from '../../texts/index.ts'
import type { Fee, Settings } from '../../wire.ts'
import { useCurrencies } from './use-currencies.ts'

/** The kinds of fees. The compiler checks that none is missing. */
const kinds: Record<Fee['kind'], string> = {
  collection: t('settings.fees.kinds.collection'),
  payment: t('settings.fees.kinds.payment'),
  airtime: t('settings.fees.kinds.airtime'),
  bill: t('settings.fees.kinds.bill'),
  return: t('settings.fees.kinds.return'),
  refund: t('settings.fees.kinds.refund'),
}

/** The fees. An organization can set them only when it is the only one. */
export function FeesPanel({ fees, alone, changed }: Pick<Settings, 'fees' | 'alone'> & { changed(): void }) {
  return (
    <Panel
      title={t('settings.fees.title')}
      about={t(alone ? 'settings.fees.about' : 'settings.fees.about_operator')}
      actions={alone && <FeeForm />}
    >
      {fees.length === 0 ? (
        <Text fz="sm">{t('settings.fees.none')}</Text>
      ) : (
        <Table.ScrollContainer
          type="native"
          minWidth={560}
          tabIndex={0}
          role="group"
          aria-label={t('settings.fees.title')}
        >
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('settings.fees.for')}</Table.Th>
                <Table.Th>{t('settings.fees.network')}</Table.Th>
                <Table.Th>{t('settings.fees.fee')}</Table.Th>
                {alone && (
                  <Table.Th>
                    <span className="visually-hidden">{t('settings.fees.actions')}</span>
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {fees.map((fee) => (
                <Table.Tr key={fee.id}>
                  <Table.Td>{t('settings.fees.kind_in', { kind: kinds[fee.kind], currency: fee.currency })}</Table.Td>
                  <Table.Td>{fee.network ? formatWord(fee.network) : t('settings.fees.every_network')}</Table.Td>
                  <Table.Td>{describeFee(fee)}</Table.Td>
                  {alone && (
                    <Table.Td ta="right">
                      <Confirm
                        button={t('settings.remove')}
                        title={t('settings.fees.remove_title')}
                        act={() => api.delete(`/settings/fees/${fee.id}`)}
                        done={changed}
                      >
                        {t('settings.fees.remove_text', {
                          kind: kinds[fee.kind],
                          currency: fee.currency,
                          fee: describeFee(fee),
                        })}
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
    isSet(min_fee) && t('settings.fees.at_least', { amount: formatMoney(min_fee) }),
    max_fee !== null && t('settings.fees.at_most', { amount: formatMoney(max_fee) }),
  ]
  return parts.filter(Boolean).join(', ') || t('settings.fees.no_fee')
}

function FeeForm() {
  const currencies = useCurrencies()
  return (
    <FormDialog
      button={t('settings.fees.set')}
      title={t('settings.fees.set')}
      submit={t('settings.save')}
      look={{ variant: 'default', size: 'xs', disabled: currencies.length === 0 }}
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
      done={t('settings.fees.done')}
      fields={(form) => (
        <>
          <FieldRow>
            <Select
              label={t('settings.fees.for')}
              data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
              allowDeselect={false}
              data-autofocus
              {...form.getInputProps('kind')}
            />
            <Select
              label={t('settings.currency')}
              data={currencies}
              allowDeselect={false}
              {...form.getInputProps('currency')}
            />
          </FieldRow>
          <TextInput
            label={t('settings.fees.network')}
            description={t('settings.fees.network_about')}
            {...form.getInputProps('network')}
          />
          <FieldRow>
            <AmountInput
              label={t('settings.fees.fixed')}
              currency={form.values.currency}
              {...form.getInputProps('fixed')}
            />
            <TextInput label={t('settings.fees.percent')} inputMode="decimal" {...form.getInputProps('percent')} />
          </FieldRow>
          <FieldRow>
            <AmountInput
              label={t('settings.fees.min')}
              currency={form.values.currency}
              {...form.getInputProps('min_fee')}
            />
            <AmountInput
              label={t('settings.fees.max')}
              currency={form.values.currency}
              {...form.getInputProps('max_fee')}
            />
          </FieldRow>
        </>
      )}
    />
  )
}
