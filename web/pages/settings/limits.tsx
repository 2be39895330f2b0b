import { Group, Select, Stack, Text } from '@mantine/core'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { toInput } from '../../parts/fields/to-input.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { changeMessage, notifyChange } from '../../parts/pending-change.tsx'
import { t } from '../../texts/index.ts'
import type { Settings } from '../../wire.ts'
import { SecondPerson } from './second-person.tsx'
import { useCurrencies } from './use-currencies.ts'

type Limits = Settings['limits'][number]

/** Limits on the sums of payments and bills in 24 hours. */
export function LimitsPanel({ limits, changed }: { limits: Settings['limits']; changed(): void }) {
  const currencies = useCurrencies()
  return (
    <Panel
      title={t('settings.limits.title')}
      about={t('settings.limits.about')}
      actions={<LimitsForm currencies={currencies} button={t('settings.limits.set')} currency={currencies[0] ?? ''} />}
    >
      {limits.length === 0 && <Text fz="sm">{t('settings.limits.none')}</Text>}
      {limits.map((one) => (
        <Group key={one.currency} justify="space-between">
          <Stack gap={2}>
            {describeLimits(one).map((text) => (
              <Text key={text} fz="sm">
                {text}
              </Text>
            ))}
          </Stack>
          <Group gap="xs">
            <LimitsForm
              currencies={[one.currency]}
              button={t('settings.change')}
              currency={one.currency}
              limits={one}
            />
            <Confirm
              button={t('settings.remove')}
              title={t('settings.limits.remove_title', { currency: one.currency })}
              act={async () =>
                notifyChange(await api.delete(`/settings/limits/${one.currency}`), t('settings.limits.removed'))
              }
              done={changed}
            >
              <SecondPerson>{t('settings.limits.remove_text', { currency: one.currency })}</SecondPerson>
            </Confirm>
          </Group>
        </Group>
      ))}
    </Panel>
  )
}

function describeLimits({ currency, per_day, per_recipient, per_user }: Limits): string[] {
  return [
    per_day !== null && t('settings.limits.per_day', { amount: formatMoney(per_day, currency) }),
    per_recipient !== null && t('settings.limits.per_recipient', { amount: formatMoney(per_recipient, currency) }),
    per_user !== null && t('settings.limits.per_user', { amount: formatMoney(per_user, currency) }),
  ].filter((text) => text !== false)
}

interface LimitsFormProps {
  currencies: string[]
  currency: string
  button: string
  limits?: Limits
}

function LimitsForm({ currencies, currency, button, limits }: LimitsFormProps) {
  return (
    <FormDialog
      button={button}
      title={t('settings.limits.form_title')}
      submit={t('settings.save')}
      look={{ variant: 'default', size: 'xs', disabled: currencies.length === 0 }}
      initial={{
        currency,
        per_day: toInput(limits?.per_day),
        per_recipient: toInput(limits?.per_recipient),
        per_user: toInput(limits?.per_user),
      }}
      send={({ currency, ...values }) => api.put(`/settings/limits/${currency}`, values)}
      done={(answer) => changeMessage(answer, t('settings.limits.done'))}
      fields={(form) => (
        <>
          <Select
            label={t('settings.currency')}
            data={currencies}
            allowDeselect={false}
            disabled={limits !== undefined}
            {...form.getInputProps('currency')}
          />
          <AmountInput
            label={t('settings.limits.all')}
            description={t('settings.limits.all_about')}
            data-autofocus
            currency={form.values.currency}
            {...form.getInputProps('per_day')}
          />
          <AmountInput
            label={t('settings.limits.recipient')}
            currency={form.values.currency}
            {...form.getInputProps('per_recipient')}
          />
          <AmountInput
            label={t('settings.limits.user')}
            description={t('settings.limits.user_about')}
            currency={form.values.currency}
            {...form.getInputProps('per_user')}
          />
        </>
      )}
    />
  )
}
