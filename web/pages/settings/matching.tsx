import { Radio, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { t } from '../../texts/index.ts'
import type { MatchingSettings } from '../../wire.ts'

const overpayments = ['keep', 'credit', 'return'] as const
const unknown_numbers = ['accept', 'reject'] as const

/** What is done with more money than was asked for, and with numbers that nobody knows. */
export function MatchingPanel() {
  const { data, error, refetch } = useQuery({
    queryKey: ['/matching-settings'],
    queryFn: () => api.get<MatchingSettings>('/matching-settings'),
  })
  return (
    <Panel
      title={t('matching.settings.title')}
      about={t('matching.settings.about')}
      actions={data && <MatchingForm rules={data} />}
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
    </Panel>
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
