import { Group, Select, Text, TextInput } from '@mantine/core'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FieldRow } from '../../parts/fields/field-row.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../texts/index.ts'
import type { Settings } from '../../wire.ts'

/** The acceptance URL, which accepts or rejects unsolicited payments. */
export function AcceptanceUrlPanel({ hook, changed }: { hook: Settings['hook']; changed(): void }) {
  return (
    <Panel
      title={t('settings.acceptance.title')}
      about={t('settings.acceptance.about')}
      actions={
        <Group gap="xs">
          {hook && (
            <Confirm
              button={t('settings.remove')}
              title={t('settings.acceptance.remove_title')}
              act={() => api.delete('/settings/hook')}
              done={changed}
            >
              {t('settings.acceptance.remove_text')}
            </Confirm>
          )}
          <AcceptanceUrlForm hook={hook} />
        </Group>
      }
    >
      {hook ? (
        <Facts
          facts={[
            [t('settings.acceptance.url'), hook.url],
            [t('settings.acceptance.no_answer'), t(`settings.acceptance.${hook.when_unreachable}`)],
            [t('settings.acceptance.timeout'), t('settings.acceptance.seconds', { count: hook.timeout_s })],
            [t('settings.acceptance.changed'), <Time key="modified" at={hook.modified} />],
          ]}
        />
      ) : (
        <Text fz="sm">{t('settings.acceptance.none')}</Text>
      )}
    </Panel>
  )
}

function AcceptanceUrlForm({ hook }: { hook: Settings['hook'] }) {
  return (
    <FormDialog
      button={t(hook ? 'settings.change' : 'settings.acceptance.set')}
      title={t('settings.acceptance.form_title')}
      submit={t('settings.save')}
      look={{ variant: 'default', size: 'xs' }}
      initial={{
        url: hook?.url ?? '',
        when_unreachable: hook?.when_unreachable ?? 'accept',
        timeout: String(hook?.timeout_s ?? 60),
      }}
      send={(values) => api.put('/settings/hook', values)}
      done={t('settings.acceptance.done')}
      fields={(form) => (
        <>
          <TextInput
            label={t('settings.acceptance.url')}
            type="url"
            required
            data-autofocus
            {...form.getInputProps('url')}
          />
          <FieldRow>
            <Select
              label={t('settings.acceptance.no_answer')}
              data={[
                { value: 'accept', label: t('settings.acceptance.accept') },
                { value: 'reject', label: t('settings.acceptance.reject') },
              ]}
              allowDeselect={false}
              {...form.getInputProps('when_unreachable')}
            />
            <TextInput
              label={t('settings.acceptance.timeout_s')}
              inputMode="numeric"
              description={t('settings.acceptance.timeout_limit')}
              {...form.getInputProps('timeout')}
            />
          </FieldRow>
        </>
      )}
    />
  )
}
