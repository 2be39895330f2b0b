import { Group, Select, Text, TextInput } from '@mantine/core'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { changeMessage, notifyChange } from '../../parts/pending-change.tsx'
import { t } from '../../texts/index.ts'
import type { Settings } from '../../wire.ts'
import { useCurrencies } from './use-currencies.ts'

/** The amounts above which a second person must approve a payment. */
export function ApprovalPanel({ rules, changed }: { rules: Settings['approval']; changed(): void }) {
  const currencies = useCurrencies()
  return (
    <Panel
      title={t('settings.approval.title')}
      about={t('settings.approval.about')}
      actions={
        <FormDialog
          button={t('settings.approval.set')}
          title={t('settings.approval.form_title')}
          submit={t('settings.save')}
          look={{ variant: 'default', size: 'xs' }}
          initial={{ currency: currencies[0] ?? '', threshold: '' }}
          send={({ currency, threshold }) => api.put(`/settings/approval/${currency}`, { threshold })}
          done={(answer) => changeMessage(answer, t('settings.approval.done'))}
          fields={(form) => (
            <Group grow align="flex-start">
              <Select
                label={t('settings.currency')}
                description={t('settings.approval.currency_about')}
                data={currencies}
                allowDeselect={false}
                {...form.getInputProps('currency')}
              />
              <TextInput
                label={t('settings.approval.threshold')}
                description={t('settings.approval.threshold_about')}
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
      {rules.length === 0 && <Text fz="sm">{t('settings.approval.none')}</Text>}
      {rules.map(({ currency, threshold }) => (
        <Group key={currency} justify="space-between">
          <Text fz="sm">{t('settings.approval.above', { amount: formatMoney(threshold, currency) })}</Text>
          <Confirm
            button={t('settings.remove')}
            title={t('settings.approval.remove_title', { currency })}
            act={async () =>
              notifyChange(await api.delete(`/settings/approval/${currency}`), t('settings.approval.removed'))
            }
            done={changed}
          >
            {t('settings.approval.remove_text', { currency })}
          </Confirm>
        </Group>
      ))}
    </Panel>
  )
}
