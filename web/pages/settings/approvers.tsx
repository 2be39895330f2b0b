import { Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
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
import type { Member } from '../users/member.ts'
import { SecondPerson } from './second-person.tsx'
import { useCurrencies } from './use-currencies.ts'

type Limits = Settings['approver_limits'][number]

/** A person who may approve. */
type Approver = Pick<Member, 'id' | 'name'>

/** Amounts that each person may approve: per payment, and per 24 hours. */
export function ApproversPanel({ limits, changed }: { limits: Limits[]; changed(): void }) {
  const currencies = useCurrencies()
  const approvers = useApprovers()
  return (
    <Panel
      title={t('settings.approvers.title')}
      about={t('settings.approvers.about')}
      actions={<LimitsForm button={t('settings.approvers.set')} currencies={currencies} approvers={approvers} />}
    >
      {limits.length === 0 && <Text fz="sm">{t('settings.approvers.none')}</Text>}
      {limits.map((one) => (
        <Group key={`${one.user} ${one.currency}`} justify="space-between">
          <Stack gap={2}>
            <Text fz="sm" fw={600}>
              {one.name}
            </Text>
            {describeLimits(one).map((text) => (
              <Text key={text} fz="sm">
                {text}
              </Text>
            ))}
          </Stack>
          <Group gap="xs">
            <LimitsForm
              button={t('settings.change')}
              currencies={[one.currency]}
              approvers={[{ id: one.user, name: one.name }]}
              limits={one}
            />
            <RemoveLimits limits={one} changed={changed} />
          </Group>
        </Group>
      ))}
    </Panel>
  )
}

function useApprovers(): Approver[] {
  const { data } = useQuery({
    queryKey: ['/users'],
    queryFn: () => api.get<{ results: Member[] }>('/users'),
  })
  return (data?.results ?? []).filter(({ permissions }) => permissions.includes('approve_payments'))
}

function describeLimits({ currency, per_payment, per_day }: Limits): string[] {
  return [
    per_payment !== null && t('settings.approvers.per_payment', { amount: formatMoney(per_payment, currency) }),
    per_day !== null && t('settings.approvers.per_day', { amount: formatMoney(per_day, currency) }),
  ].filter((text) => text !== false)
}

function RemoveLimits({ limits: { user, name, currency }, changed }: { limits: Limits; changed(): void }) {
  return (
    <Confirm
      button={t('settings.remove')}
      title={t('settings.approvers.remove_title', { name })}
      act={async () =>
        notifyChange(await api.delete(`/settings/approvers/${user}/${currency}`), t('settings.approvers.removed'))
      }
      done={changed}
    >
      <SecondPerson>{t('settings.approvers.remove_text', { name, currency })}</SecondPerson>
    </Confirm>
  )
}

interface LimitsFormProps {
  button: string
  currencies: string[]
  approvers: Approver[]
  limits?: Limits
}

function LimitsForm({ button, currencies, approvers, limits }: LimitsFormProps) {
  return (
    <FormDialog
      button={button}
      title={t('settings.approvers.form_title')}
      submit={t('settings.save')}
      look={{ variant: 'default', size: 'xs', disabled: currencies.length === 0 }}
      initial={{
        user: limits ? String(limits.user) : '',
        currency: limits?.currency ?? currencies[0] ?? '',
        per_payment: toInput(limits?.per_payment),
        per_day: toInput(limits?.per_day),
      }}
      send={({ user, currency, ...values }) => api.put(`/settings/approvers/${user}/${currency}`, values)}
      done={(answer) => changeMessage(answer, t('settings.approvers.done'))}
      fields={(form) => (
        <>
          <FieldRow>
            <Select
              label={t('settings.approvers.person')}
              placeholder={t('fields.choose')}
              data={approvers.map(({ id, name }) => ({ value: String(id), label: name }))}
              allowDeselect={false}
              disabled={limits !== undefined}
              required
              {...form.getInputProps('user')}
            />
            <Select
              label={t('settings.currency')}
              data={currencies}
              allowDeselect={false}
              disabled={limits !== undefined}
              {...form.getInputProps('currency')}
            />
          </FieldRow>
          <FieldRow>
            <AmountInput
              label={t('settings.approvers.one')}
              description={t('settings.limits.all_about')}
              currency={form.values.currency}
              {...form.getInputProps('per_payment')}
            />
            <AmountInput
              label={t('settings.approvers.day')}
              description={t('settings.limits.all_about')}
              currency={form.values.currency}
              {...form.getInputProps('per_day')}
            />
          </FieldRow>
        </>
      )}
    />
  )
}
