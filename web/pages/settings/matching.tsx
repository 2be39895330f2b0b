import { Group, Radio, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { formatMoney } from '../../format.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { AmountInput } from '../../parts/fields/amount-input.tsx'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { toInput } from '../../parts/fields/to-input.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { changeMessage, notifyChange } from '../../parts/pending-change.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { MatchingSettings, Settings } from '../../wire.ts'
import { useCurrencies } from './use-currencies.ts'

const overpayments = ['keep', 'credit', 'return'] as const
const unknown_numbers = ['accept', 'reject'] as const

type Threshold = Settings['matching'][number]

/** Rules for excess money and unknown numbers, and the threshold for manual matching. */
export function MatchingPanel({ thresholds, changed }: { thresholds: Threshold[]; changed(): void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['/matching-settings'],
    queryFn: () => api.get<MatchingSettings>('/matching-settings'),
  })
  return (
    <Panel
      title={t('matching.settings.title')}
      about={t('matching.settings.about')}
      actions={
        <>
          <ThresholdForm button={t('matching.settings.set_threshold')} />
          {data && <MatchingForm rules={data} />}
        </>
      }
    >
      <Problem error={error} retry={refetch} />
      {data && (
        <Facts
          bare
          facts={[
            [t('matching.settings.overpayment'), t(`matching.settings.${data.overpayment}`)],
            [t('matching.settings.unknown_number'), t(`matching.settings.${data.unknown_number}`)],
          ]}
        />
      )}
      {thresholds.map((one) => (
        <Group key={one.currency} justify="space-between">
          <Text fz="sm">{t('matching.settings.above', { amount: formatMoney(one.threshold, one.currency) })}</Text>
          <Group gap="xs">
            <ThresholdForm button={t('settings.change')} threshold={one} />
            <Confirm
              button={t('settings.remove')}
              title={t('matching.settings.remove_title', { currency: one.currency })}
              act={async () =>
                notifyChange(await putThreshold(one.currency, null), t('matching.settings.threshold_removed'))
              }
              done={changed}
            >
              {t('matching.settings.remove_text', { currency: one.currency })}
            </Confirm>
          </Group>
        </Group>
      ))}
    </Panel>
  )
}

function putThreshold(currency: string, threshold: string | null): Promise<unknown> {
  return api.put(`/settings/matching/${currency}`, { threshold })
}

/** Form for the amount above which a second manager confirms a manual match. */
function ThresholdForm({ button, threshold }: { button: string; threshold?: Threshold }) {
  const currencies = useCurrencies()
  return (
    <FormDialog
      button={button}
      title={t('matching.settings.threshold_title')}
      submit={t('settings.save')}
      look={{ variant: 'default', size: 'xs', disabled: currencies.length === 0 }}
      initial={{ currency: threshold?.currency ?? currencies[0] ?? '', threshold: toInput(threshold?.threshold) }}
      send={({ currency, threshold }) => putThreshold(currency, threshold)}
      done={(answer) => changeMessage(answer, t('matching.settings.done'))}
      fields={(form) => (
        <FieldRow long>
          <Select
            label={t('settings.currency')}
            data={threshold ? [threshold.currency] : currencies}
            allowDeselect={false}
            disabled={threshold !== undefined}
            {...form.getInputProps('currency')}
          />
          <AmountInput
            label={t('matching.settings.threshold')}
            description={t('matching.settings.threshold_about')}
            required
            data-autofocus
            currency={form.values.currency}
            {...form.getInputProps('threshold')}
          />
        </FieldRow>
      )}
    />
  )
}

function MatchingForm({ rules }: { rules: MatchingSettings }) {
  return (
    <FormDialog
      button={t('settings.change')}
      title={t('matching.settings.title')}
      submit={t('settings.save')}
      look={{ variant: 'default', size: 'xs' }}
      initial={{ ...rules }}
      send={(values) => api.patch('/matching-settings', values)}
      done={t('matching.settings.done')}
      fields={(form) => (
        <>
          <Radio.Group label={t('matching.settings.overpayment')} {...form.getInputProps('overpayment')}>
            <Choices names={overpayments} />
          </Radio.Group>
          <Radio.Group
            label={t('matching.settings.unknown_number')}
            description={t('matching.settings.unknown_number_about')}
            {...form.getInputProps('unknown_number')}
          >
            <Choices names={unknown_numbers} />
          </Radio.Group>
        </>
      )}
    />
  )
}

function Choices({
  names,
}: {
  names: readonly (MatchingSettings['overpayment'] | MatchingSettings['unknown_number'])[]
}) {
  return (
    <Stack gap="xs" mt="xs">
      {names.map((name) => (
        <Radio
          key={name}
          value={name}
          label={t(`matching.settings.${name}`)}
          description={t(`matching.settings.${name}_about`)}
        />
      ))}
    </Stack>
  )
}
