import { Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { changeMessage, notifyChange } from '../../parts/pending-change.tsx'
import type { Settings } from '../../wire.ts'
import { useCurrencies } from './use-currencies.ts'

type Limits = Settings['limits'][number]

/** The most that the payments of a day may sum up to. */
export function LimitsPanel({ limits, changed }: { limits: Settings['limits']; changed(): void }) {
  const currencies = useCurrencies()
  return (
    <Panel
      title="Limits"
      about="What the payments of a day may sum up to. A payment that passes a limit is refused. A day begins at midnight UTC."
      actions={<LimitsForm currencies={currencies} button="Set limits" currency={currencies[0] ?? ''} />}
    >
      {limits.length === 0 && <Text fz="sm">Payments have no limits.</Text>}
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
            <LimitsForm currencies={[one.currency]} button="Change" currency={one.currency} limits={one} />
            <Confirm
              button="Take away"
              title={`No limits in ${one.currency} any more?`}
              act={async () =>
                notifyChange(await api.delete(`/settings/limits/${one.currency}`), 'The limits are taken away.')
              }
              done={changed}
            >
              Payments in {one.currency} may then sum up to any amount.
            </Confirm>
          </Group>
        </Group>
      ))}
    </Panel>
  )
}

function describeLimits({ currency, per_day, per_recipient, per_user }: Limits): string[] {
  return [
    per_day !== null && `${formatMoney(per_day, currency)} a day, all payments together`,
    per_recipient !== null && `${formatMoney(per_recipient, currency)} a day to one phone number`,
    per_user !== null && `${formatMoney(per_user, currency)} a day by one user`,
  ].filter((text) => text !== false)
}

/** The digits of an amount, as a person would type them. */
function toInput(amount: string | null | undefined): string {
  return amount ? amount.replace(/\.?0+$/, '') || '0' : ''
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
      title="Limit the payments of a day"
      submit="Set"
      look={{ variant: 'default', size: 'xs' }}
      initial={{
        currency,
        per_day: toInput(limits?.per_day),
        per_recipient: toInput(limits?.per_recipient),
        per_user: toInput(limits?.per_user),
      }}
      send={({ currency, ...values }) => api.put(`/settings/limits/${currency}`, values)}
      done={(answer) => changeMessage(answer, 'The limits hold from now on.')}
      fields={(form) => (
        <>
          <Select
            label="Currency"
            data={currencies}
            allowDeselect={false}
            disabled={limits !== undefined}
            {...form.getInputProps('currency')}
          />
          <TextInput
            label="All payments together"
            description="Left empty: no limit."
            inputMode="decimal"
            data-autofocus
            {...form.getInputProps('per_day')}
          />
          <TextInput label="To one phone number" inputMode="decimal" {...form.getInputProps('per_recipient')} />
          <TextInput
            label="By one user"
            description="Payments of the user's API keys count, too."
            inputMode="decimal"
            {...form.getInputProps('per_user')}
          />
        </>
      )}
    />
  )
}
