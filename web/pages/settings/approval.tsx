import { Group, Select, Stack, Text } from '@mantine/core'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { toInput } from '../../parts/fields/to-input.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { changeMessage, notifyChange } from '../../parts/pending-change.tsx'
import { t } from '../../texts/index.ts'
import type { Settings } from '../../wire.ts'
import { SecondPerson } from './second-person.tsx'
import { useCurrencies } from './use-currencies.ts'

type Rule = Settings['approval'][number]

/** The amounts above which one, two and three other persons must approve a payment. */
export function ApprovalPanel({ rules, changed }: { rules: Settings['approval']; changed(): void }) {
  const currencies = useCurrencies()
  return (
    <Panel
      title={t('settings.approval.title')}
      about={t('settings.approval.about')}
      actions={<RuleForm button={t('settings.approval.set')} currencies={currencies} currency={currencies[0] ?? ''} />}
    >
      {rules.length === 0 && <Text fz="sm">{t('settings.approval.none')}</Text>}
      {rules.map((rule) => (
        <Group key={rule.currency} justify="space-between">
          <Stack gap={2}>
            {describeRule(rule).map((text) => (
              <Text key={text} fz="sm">
                {text}
              </Text>
            ))}
          </Stack>
          <Group gap="xs">
            <RuleForm button={t('settings.change')} currencies={[rule.currency]} currency={rule.currency} rule={rule} />
            <RemoveRule currency={rule.currency} changed={changed} />
          </Group>
        </Group>
      ))}
    </Panel>
  )
}

function describeRule({ currency, threshold, second_threshold, third_threshold }: Rule): string[] {
  return [
    t('settings.approval.above', { amount: formatMoney(threshold, currency) }),
    second_threshold !== null &&
      t('settings.approval.second_above', { amount: formatMoney(second_threshold, currency) }),
    third_threshold !== null && t('settings.approval.third_above', { amount: formatMoney(third_threshold, currency) }),
  ].filter((text) => text !== false)
}

function RemoveRule({ currency, changed }: { currency: string; changed(): void }) {
  return (
    <Confirm
      button={t('settings.remove')}
      title={t('settings.approval.remove_title', { currency })}
      act={async () => notifyChange(await api.delete(`/settings/approval/${currency}`), t('settings.approval.removed'))}
      done={changed}
    >
      <SecondPerson>{t('settings.approval.remove_text', { currency })}</SecondPerson>
    </Confirm>
  )
}

interface RuleFormProps {
  button: string
  currencies: string[]
  currency: string
  rule?: Rule
}

function RuleForm({ button, currencies, currency, rule }: RuleFormProps) {
  return (
    <FormDialog
      button={button}
      title={t('settings.approval.form_title')}
      submit={t('settings.save')}
      look={{ variant: 'default', size: 'xs', disabled: currencies.length === 0 }}
      initial={{
        currency,
        threshold: toInput(rule?.threshold),
        second_threshold: toInput(rule?.second_threshold),
        third_threshold: toInput(rule?.third_threshold),
      }}
      send={({ currency, ...values }) => api.put(`/settings/approval/${currency}`, values)}
      done={(answer) => changeMessage(answer, t('settings.approval.done'))}
      fields={(form) => (
        <>
          <FieldRow>
            <Select
              label={t('settings.currency')}
              description={t('settings.approval.currency_about')}
              data={currencies}
              allowDeselect={false}
              disabled={rule !== undefined}
              {...form.getInputProps('currency')}
            />
            <AmountInput
              label={t('settings.approval.threshold')}
              description={t('settings.approval.threshold_about')}
              required
              data-autofocus
              currency={form.values.currency}
              {...form.getInputProps('threshold')}
            />
          </FieldRow>
          <FieldRow>
            <AmountInput
              label={t('settings.approval.second_threshold')}
              description={t('settings.approval.second_threshold_about')}
              currency={form.values.currency}
              {...form.getInputProps('second_threshold')}
            />
            <AmountInput
              label={t('settings.approval.third_threshold')}
              description={t('settings.approval.third_threshold_about')}
              currency={form.values.currency}
              {...form.getInputProps('third_threshold')}
            />
          </FieldRow>
        </>
      )}
    />
  )
}
