import { Group, Select, Text, TextInput } from '@mantine/core'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { changeMessage, notifyChange } from '../../parts/pending-change.tsx'
import type { Settings } from '../../wire.ts'
import { useCurrencies } from './use-currencies.ts'

/** The amounts above which a second person must approve a payment. */
export function ApprovalPanel({ rules, changed }: { rules: Settings['approval']; changed(): void }) {
  const currencies = useCurrencies()
  return (
    <Panel
      title="Approval"
      about="Payments above an amount wait until a second person approves them."
      actions={
        <FormDialog
          button="Set an amount"
          title="Demand an approval"
          submit="Set"
          look={{ variant: 'default', size: 'xs' }}
          initial={{ currency: currencies[0] ?? '', threshold: '' }}
          send={({ currency, threshold }) => api.put(`/settings/approval/${currency}`, { threshold })}
          done={(answer) => changeMessage(answer, 'It holds for new payments from now on.')}
          fields={(form) => (
            <Group grow align="flex-start">
              <Select
                label="Currency"
                description="Of the payment."
                data={currencies}
                allowDeselect={false}
                {...form.getInputProps('currency')}
              />
              <TextInput
                label="Above"
                description="0 demands it for every payment."
                inputMode="decimal"
                required
                data-autofocus
                {...form.getInputProps('threshold')}
              />
            </Group>
          )}
        />
      }
    >
      {rules.length === 0 && <Text fz="sm">No payment needs an approval.</Text>}
      {rules.map(({ currency, threshold }) => (
        <Group key={currency} justify="space-between">
          <Text fz="sm">Above {formatMoney(threshold, currency)}</Text>
          <Confirm
            button="Take away"
            title={`Demand no approval in ${currency} any more?`}
            act={async () =>
              notifyChange(await api.delete(`/settings/approval/${currency}`), 'No payment needs an approval any more.')
            }
            done={changed}
          >
            New payments in {currency} are sent at once. What waits for an approval goes on waiting.
          </Confirm>
        </Group>
      ))}
    </Panel>
  )
}
